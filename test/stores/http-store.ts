// A server of Terraform's HTTP state protocol as a place for state.
import { outsideCalls } from "../../src/service/transport.ts";
import { openHttpFiles } from "../../src/state/http/http-store.ts";
import { documentBody, nextDocument } from "../../src/state/http/state-document.ts";
import type { SharedFiles } from "../../src/state/shared/shared-files.ts";
import { type Flavor, startStateServer } from "./http-server.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const password = "glpat-not-for-anyones-eyes";

/** Another handle on the files, as another machine has it. */
export async function openFiles(
  address: string,
  token: string,
  environment: string,
  leaseMs?: number,
): Promise<SharedFiles> {
  const env = { TICKETING_STATE_USERNAME: "ana", TICKETING_STATE_PASSWORD: token };
  const outside = { ...outsideCalls({}), env, keepSecret: () => undefined, disagreement: async () => null };
  const files = await openHttpFiles({ backend: "http", address }, environment, outside, leaseMs);
  if (!files.ok) throw new Error(files.message);
  return files.value;
}

export function httpUnderTest(flavor: Flavor): StoreUnderTest {
  return {
    name: `http (${flavor})`,
    async start() {
      const server = await startStateServer({ flavor, tokens: { [password]: "maintainer" } });
      const settings = { backend: "http", address: `${server.base}/{environment}` } as const;
      const env = { TICKETING_STATE_USERNAME: "ana", TICKETING_STATE_PASSWORD: password };
      return {
        settings,
        env,
        secrets: [password, Buffer.from(`ana:${password}`).toString("base64")],
        files: (environment) => openFiles(settings.address, password, environment),
        async plant(environment, files) {
          const document = nextDocument(null, files, null);
          server.at(environment).document = documentBody(document);
          server.at(environment).serials.add(document.serial);
        },
        async loseNextResponse() {
          server.fault = ({ isWrite }) => {
            if (isWrite) server.fault = null;
            return isWrite ? "after" : null;
          };
        },
        away: () => server.stop(),
        async back() {
          server.fault = null;
          await server.stop();
          await server.start();
        },
        stop: () => server.stop(),
      };
    },
  };
}
