// A service that shows things as no reading of the sandbox does.
import type { SandboxRequest, SandboxResponse, SandboxService } from "../../src/sandbox/index.ts";

/** From now on, each body that the sandbox sends is what `rewrite` makes of it. */
export function rewriteBodies(
  service: SandboxService,
  rewrite: (body: string, response: SandboxResponse, request: SandboxRequest) => string,
): void {
  const handle = service.handle.bind(service);
  Object.assign(service, {
    async handle(request: SandboxRequest): Promise<SandboxResponse> {
      const response = await handle(request);
      return { ...response, body: rewrite(response.body, response, request) };
    },
  });
}
