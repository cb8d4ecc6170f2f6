import { expect, test } from "vitest";
import { attemptRead, makeReader } from "../../src/snapshot/reader.ts";

function countingClient() {
  const asked: string[] = [];
  let response = (): void => undefined;
  const client = {
    pause: async () => undefined,
    request(_method: string, path: string) {
      const nth = asked.push(path);
      return new Promise<{ ok: true; status: number; data: unknown; meta: null }>((resolve) => {
        response = () => resolve({ ok: true, status: 200, data: [{ id: String(nth) }], meta: null });
      });
    },
  };
  return { client: client as unknown as Parameters<typeof makeReader>[0], asked, response: () => response() };
}

test("a list that is forgotten while it is read is read again", async () => {
  const { client, asked, response } = countingClient();
  const reader = makeReader(client);
  const first = reader.ask("/webhooks");
  reader.forget("/webhooks");
  response();
  expect(await first).toMatchObject({ data: [{ id: "1" }] });
  const second = reader.ask("/webhooks");
  response();
  expect(await second).toMatchObject({ data: [{ id: "2" }] });
  expect(asked).toEqual(["/webhooks", "/webhooks"]);
  expect([...reader.kept()]).toEqual([["/webhooks?{}", { data: [{ id: "2" }], meta: null }]]);
});

test("only the list itself is forgotten, with all that was asked of it", async () => {
  const { client } = countingClient();
  const one = { data: [], meta: null };
  const questions = ["/events?{}", '/events?{"search":"what?"}', "/events/1?{}", "/events-of-others?{}"];
  const reader = makeReader(
    client,
    questions.map((question) => [question, one]),
  );
  reader.forget("/events");
  expect(Array.from(reader.kept(), ([question]) => question)).toEqual(["/events/1?{}", "/events-of-others?{}"]);
});

test("a first page that says nothing of its number is not the whole list", async () => {
  const page = (length: number) => ({
    pause: async () => undefined,
    request: async () => ({
      ok: true,
      status: 200,
      data: Array.from({ length }, (_, id) => ({ id: `${id}` })),
      meta: null,
    }),
  });
  const pagesOf = (length: number) =>
    makeReader(page(length) as unknown as Parameters<typeof makeReader>[0]).page("/events", { status: "DRAFT" }, false);
  expect(await pagesOf(10)).toMatchObject({ data: { pages: 2 } });
  expect(await pagesOf(0)).toMatchObject({ data: { pages: 1 } });
});

test("an event that does not exist is gone whatever the status; one that may not be read is named", async () => {
  const refusal = (code: string) => ({ class: "refused", status: 403, code, message: "no", hint: "Check it" });
  const readOf = (code: string, path: string) => {
    const client = { request: async () => ({ ok: false, problem: refusal(code) }) };
    return attemptRead(() => makeReader(client as unknown as Parameters<typeof makeReader>[0]).one(path));
  };
  expect(await readOf("NOT_FOUND", "/events/e-1")).toMatchObject({ ok: true, value: null });
  const hint = expect.stringMatching(/^Check it\. This is about the event e-1; .*`ticketing state rm ADDRESS`/);
  expect(await readOf("FORBIDDEN", "/events/e-1")).toMatchObject({ ok: false, problem: { code: "FORBIDDEN", hint } });
  expect(await readOf("FORBIDDEN", "/me")).toMatchObject({ ok: false, problem: { hint: "Check it" } });
});
