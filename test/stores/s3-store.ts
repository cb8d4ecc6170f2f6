// A bucket as a place for state: in an emulated store, or in a real one.
import { outsideCalls } from "../../src/service/transport.ts";
import { openS3Files } from "../../src/state/s3/s3-store.ts";
import { type S3Habits, S3Server, s3Keys } from "./s3-server.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

export function s3Under(name: string, habits: S3Habits): StoreUnderTest {
  return {
    name: `s3 (${name})`,
    async start() {
      const server = new S3Server(habits);
      await server.start();
      const settings = s3Settings(server);
      const env = s3Env("writer");
      return {
        settings,
        env,
        secrets: Object.values(env),
        async files(environment) {
          const outside = { ...outsideCalls({}), env, keepSecret: () => undefined, disagreement: async () => null };
          const files = await openS3Files(settings, "/", environment, outside);
          if (!files.ok) throw new Error(files.message);
          return files.value;
        },
        async plant(environment, files) {
          const head = { formatVersion: 1, id: "planted", probe: null, old: [], files };
          server.objects.set(`acme/events/${environment}/head.json`, JSON.stringify(head));
        },
        async loseNextResponse() {
          server.fault = ({ method, key }) => {
            const isNext = method === "PUT" && key.endsWith("head.json");
            if (isNext) server.fault = null;
            return isNext ? "after" : null;
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

export function s3Settings({ bucket, endpoint }: S3Server) {
  return { backend: "s3", bucket, prefix: "acme/events", endpoint } as const;
}

export function s3Env(who: keyof typeof s3Keys) {
  return { AWS_ACCESS_KEY_ID: s3Keys[who].id, AWS_SECRET_ACCESS_KEY: s3Keys[who].secret };
}
