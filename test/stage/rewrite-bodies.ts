// A service that shows things as no reading of the sandbox does.
import type { SandboxAnswer, SandboxRequest, SandboxService } from "../../src/sandbox/index.ts";

/** From now on, each body that the sandbox sends is what `rewrite` makes of it. */
export function rewriteBodies(
  service: SandboxService,
  rewrite: (body: string, answer: SandboxAnswer, request: SandboxRequest) => string,
): void {
  const handle = service.handle.bind(service);
  Object.assign(service, {
    async handle(request: SandboxRequest): Promise<SandboxAnswer> {
      const answer = await handle(request);
      return { ...answer, body: rewrite(answer.body, answer, request) };
    },
  });
}
