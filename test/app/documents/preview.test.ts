// ticketing preview: what it gives out, to whom, and what it leaves alone.
import { once } from "node:events";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openFolder } from "../../stage/open-folder.ts";
import { type ServedPreview, servePreview } from "../../stage/serve-preview.ts";
import { ticketing } from "../../stage/test-world.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const files = {
  "ticketing.yaml": "version: 1\norganization: acme-live\ndefaults: { timezone: Asia/Manila }\n",
  "events/nights.yaml": `name: Manila Nights
dateTime: 2027-03-14T19:00
endDateTime: 2027-03-14T23:00
venue: { name: Palace, city: Baguio }
eventCapacity: 250
tickets:
  - { name: Early bird, price: 900, quantity: 50, published: true }
  - { name: Regular, price: 1500, quantity: 200, published: false }
phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
  - name: Early bird ends
    from: -2w
    tickets: [{ name: Early bird, soldOut: true }, { name: Regular, published: true }]
ignore: [bare-listing]
`,
  "events/friday.yaml":
    "name: Friday Club\ndateTime: 22:00\nendDateTime: +6h\nvenue: { name: Palace, city: Baguio }\nseries: { every: friday, from: 2027-01-08, count: 5, skip: [2027-01-22] }\n",
};

function folderOf(written: Readonly<Record<string, string>>): string {
  const { directory, close } = openFolder(written);
  open.push(close);
  return directory;
}

async function serve(
  written: Readonly<Record<string, string>> = files,
  argv: readonly string[] = [],
): Promise<ServedPreview & { readonly directory: string }> {
  const directory = folderOf(written);
  const served = await servePreview(directory, argv);
  open.push(served.stop);
  return { ...served, directory };
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** As no browser would, with any header. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = "GET", path?: string) {
  return new Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }>(
    (resolve, reject) => {
      const own = path === undefined ? {} : { path };
      const asked = request(url, { method, headers, agent: false, ...own }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      });
      asked.on("error", reject).end();
    },
  );
}

/** Whether it was cut off is asked of what it gives back. */
function listenAt(url: string) {
  return new Promise<{ readonly isOver: () => boolean; close(): void }>((resolve, reject) => {
    const asked = request(`${url}changes`, { agent: false }, (response) => {
      response.on("error", () => undefined).resume();
      resolve({ isOver: () => response.destroyed || response.complete, close: () => asked.destroy() });
    });
    asked.on("error", reject).end();
  });
}

async function eventually(check: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const end = Date.now() + 15_000; !(await check()); await setTimeout(20)) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
  }
}

describe("pages", () => {
  test("an event that has ended by then says so", async () => {
    const { url } = await serve();
    expect(await textAt(`${url}events/nights`)).not.toContain(">Ended<");
    expect(await textAt(`${url}events/nights?at=2027-03-15T00:00`)).toContain(">Ended<");
  });

  test("of all events, with a series as one, and of each event", async () => {
    const { url } = await serve();
    const index = await textAt(url);
    expect(index).toContain("<title>Preview of acme-live</title>");
    expect(index.match(/<article/g)).toHaveLength(2);
    expect(index).toContain("4 dates: 4 draft");
    expect(index).toContain('href="/events/friday%402027-01-15?at=now"');
    const event = await textAt(`${url}events/nights`);
    expect(event).toContain("Manila Nights");
    expect(event).toContain("Sun 14 Mar 2027 19:00");
    expect(event).toContain("Palace, Baguio");
    expect(event).toContain("₱1,500");
    expect((await fetch(`${url}events/friday%402027-01-29`)).status).toBe(200);
    for (const path of ["events/none", "events/friday%402027-01-22", "events/%E0%A4%A", "none", "ticketing.yaml"])
      expect((await fetch(url + path)).status).toBe(404);
  });

  test("at a time: by --at, and by a link for each phase to come", async () => {
    const { url } = await serve(files, ["--at", "2027-02-01T00:00"]);
    const then = await textAt(`${url}events/nights`);
    expect(then).toContain("Published");
    expect(then).not.toContain("Sold out");
    expect(await textAt(`${url}events/nights?at=now`)).toContain("Draft");
    const links = [...then.matchAll(/<li><a href="([^"]+)"[^>]*>([^<]+)</g)].map(([, href, words]) => [href, words]);
    expect(links.map(([, words]) => words)).toEqual([
      "Now",
      "Sun 31 Jan 2027 10:00 Asia/Manila: Announce",
      "Mon 1 Feb 2027 00:00 Asia/Manila",
      "Sun 28 Feb 2027 19:00 Asia/Manila: Early bird ends",
    ]);
    expect(await textAt(url + (links[3]?.[0] ?? "").slice(1))).toContain("Sold out");
    const wrong = await fetch(`${url}?at=soon`);
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("soon")]);
  });

  test("follow the files, and keep the last good events while these have errors", async () => {
    const { url, directory, reported } = await serve();
    const nights = join(directory, "events/nights.yaml");
    writeFileSync(nights, files["events/nights.yaml"].replace("Manila Nights", "Bay Nights"));
    await eventually(async () => (await textAt(url)).includes("Bay Nights"), "the new name");
    writeFileSync(nights, files["events/nights.yaml"].replace("price: 900", "price: cheap"));
    await eventually(async () => (await textAt(url)).includes("1 error in the files"), "the error");
    const behind = await textAt(url);
    expect(behind).toContain("events/nights.yaml:7:");
    expect(behind).toContain("<strong>fix:</strong> ");
    expect(behind).toContain("as they were before these errors");
    expect(behind).toContain("Bay Nights");
    // Also at a time that was not asked for before the mistake.
    expect(await textAt(`${url}events/nights?at=2027-03-01T00:00`)).toContain("Sold out");
    writeFileSync(nights, files["events/nights.yaml"]);
    await eventually(async () => !(await textAt(url)).includes("in the files"), "no error");
    expect(await textAt(url)).toContain("Manila Nights");
    expect(reported()).toMatch(
      /^\d\d:\d\d:\d\d events\/nights\.yaml changed: no problems\n.*: 1 error\n.*: no problems\n$/,
    );
    writeFileSync(join(directory, "events/new.yaml"), "name: Brand New\ndateTime: 2027-06-01T19:00\n");
    await eventually(async () => (await textAt(url)).includes("Brand New"), "a new file");
    rmSync(join(directory, "events/new.yaml"));
    await eventually(async () => !(await textAt(url)).includes("Brand New"), "no new file");
  });

  test("are drawn again as time passes, which is said only when something has changed by it", async () => {
    const directory = folderOf(files);
    let now = Date.parse("2026-11-15T00:00:00Z");
    const { url, reported, stop } = await servePreview(directory, [], { now: () => now });
    open.push(stop);
    // The preview waits for files or for real time: a file makes it look at the clock.
    const passTo = async (instant: string, lines: number) => {
      now = Date.parse(instant);
      writeFileSync(join(directory, "events/nights.yaml"), `${files["events/nights.yaml"]}# ${instant}\n`);
      await eventually(() => reported().split("\n").length > lines, `${lines} lines`);
    };
    await passTo("2026-11-15T02:00:00Z", 1);
    await passTo("2027-01-31T03:00:00Z", 3);
    expect(await textAt(url)).toContain(">Now<");
    const lines = reported().trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "events/nights.yaml changed: no problems",
      "events/nights.yaml changed: no problems",
      "A date was reached (Announce): no problems",
    ]);
  });

  test("a series is called by what the names of its dates have in common", async () => {
    const series =
      "series: { every: friday, from: 2027-01-08, count: 2, dates: { 2027-01-08: { vars: { act: Ana } } } }";
    const { url } = await serve({
      "events/friday.yaml": `name: "Friday Club: \${var.act}"\nvars: { act: Residents }\ndateTime: 22:00\n${series}\n`,
    });
    expect(await textAt(url)).toMatch(/class="card-title"><bdi>Friday Club<\/bdi>/);
  });

  test("what all events share changes all of them", async () => {
    const { url, directory } = await serve();
    expect(await textAt(`${url}events/nights`)).toContain("Sun 14 Mar 2027 19:00");
    writeFileSync(join(directory, "ticketing.yaml"), "version: 1\ndefaults: { timezone: Asia/Tokyo }\n");
    await eventually(async () => (await textAt(`${url}events/nights`)).includes("Asia/Tokyo"), "the other zone");
  });

  test("are asked to draw themselves again", async () => {
    const { url, directory } = await serve();
    const changes = await fetch(`${url}changes`);
    expect(changes.headers.get("content-type")).toBe("text/event-stream");
    const reader = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    writeFileSync(join(directory, "events/nights.yaml"), files["events/nights.yaml"].replace("Manila", "Bay"));
    expect((await reader?.read())?.value).toBe("event: change\ndata: events/nights.yaml changed: no problems\n\n");
    await reader?.cancel();
  });

  test("are notified of a change that came before they could listen, and of none twice", async () => {
    const { url, directory, reported } = await serve();
    const firstWords = async (page: string) => {
      const round = /data-round="(\d+)"/.exec(page)?.[1];
      const changes = await fetch(`${url}changes?since=${round}`);
      const reader = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
      const words = (await reader?.read())?.value;
      await reader?.cancel();
      return words;
    };
    const drawnBefore = await textAt(url);
    writeFileSync(join(directory, "events/nights.yaml"), files["events/nights.yaml"].replace("Manila", "Bay"));
    await eventually(async () => reported().includes("changed"), "the change");
    expect(await firstWords(drawnBefore)).toBe("event: change\ndata: events/nights.yaml changed: no problems\n\n");
    expect(await firstWords(await textAt(url))).toMatch(/^: /);
  });

  test.each([
    ["no events", { "ticketing.yaml": "version: 1\n" }, "There are no events yet."],
    ["errors from the start", { ...files, "events/bad.yaml": "nam: Bad\n" }, "Friday Club"],
    ["a project file that is none", { ...files, "ticketing.yaml": "- version: 1\n" }, "Manila Nights"],
    ["no project file", { "events/a.yaml": "name: Alone\ndateTime: 2027-03-14T19:00\n" }, "Alone"],
  ])("with %s", async (_name, written, shown) => {
    const { url } = await serve(written);
    expect(await textAt(url)).toContain(shown);
  });

  test("text of files never becomes markup", async () => {
    const { url } = await serve({
      ...files,
      "events/odd.yaml": `name: "</title><script>alert(1)</script>"\ndateTime: 2027-03-14T19:00\nimageUrl: 'javascript:alert(1)'\ndescription: "<img src=x onerror=alert(1)>"\nphases: [{ name: "<b>x", from: -1d, status: PUBLISHED }]\n`,
    });
    for (const page of [await textAt(url), await textAt(`${url}events/odd`)]) {
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page).not.toMatch(/<img src=x|<b>x|src="javascript/);
    }
  });
});

describe("refuses", () => {
  test.each([
    ["another name of this machine", { host: "rebound.example" }, 421],
    ["the right name with another port", { host: "127.0.0.1:1" }, 421],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another port of this machine", { "sec-fetch-site": "same-site" }, 403],
  ])("%s, with a sentence", async (_name, headers, status) => {
    const { url } = await serve();
    for (const path of ["", "changes", "events/nights"]) {
      const response = await ask(url + path, headers);
      expect([response.status, response.headers["content-type"]]).toEqual([status, "text/plain; charset=utf-8"]);
      expect(response.text).toMatch(/^[A-Z].*\.\n$/);
      expect(response.text).not.toContain("Nights");
    }
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])("%s", async (method) => {
    const { url } = await serve();
    const response = await ask(url, {}, method);
    expect([response.status, response.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("what is no address, and the oldest of very many listeners", async () => {
    const { url } = await serve();
    expect((await ask(url, {}, "GET", "//")).status).toBe(404);
    expect((await ask(url, {}, "GET", "//[")).status).toBe(404);
    const listeners: Awaited<ReturnType<typeof listenAt>>[] = [];
    for (let count = 0; count < 40; count += 1) listeners.push(await listenAt(url));
    await eventually(() => listeners.filter((one) => one.isOver()).length === 8, "the oldest are cut off");
    expect((await ask(url)).status).toBe(200);
    for (const one of listeners) one.close();
  });

  test("no page of its own: by number or by name, typed or from itself, and HEAD without a body", async () => {
    const { url } = await serve();
    const { port } = new URL(url);
    const own = { host: `localhost:${port}`, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" };
    expect((await ask(url, own)).status).toBe(200);
    expect((await ask(url, { "sec-fetch-site": "none" })).status).toBe(200);
    const head = await ask(url, {}, "HEAD");
    expect([head.status, head.text, Number(head.headers["content-length"]) > 1000]).toEqual([200, "", true]);
  });

  test("any script but its own, and any place but its own to ask", async () => {
    const { url } = await serve();
    const [one, other] = await Promise.all([fetch(url), fetch(url)]);
    const policy = one.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; .*script-src 'nonce-[\w+/=]{24}'; connect-src 'self'; frame-ancestors 'none'$/,
    );
    expect(policy).not.toBe(other.headers.get("content-security-policy"));
    expect((await one.text()).match(/nonce="([^"]+)"/)?.[1]).toBe(/nonce-([^']+)'/.exec(policy)?.[1]);
  });

  test("paths out of the project, as it gives out no file", async () => {
    const { url } = await serve();
    for (const path of [
      "../ticketing.yaml",
      "%2e%2e/ticketing.yaml",
      "events/..%2f..%2fticketing.yaml",
      "events/../../x",
    ])
      expect((await ask(`${url}${path}`, {})).status).toBe(404);
  });
});

describe("the command", () => {
  test("shows its address, and ends with 0 by Ctrl-C, with nothing written", async () => {
    const directory = folderOf(files);
    const before = filesBelow(directory);
    const served = await servePreview(directory, [], { env: { TICKETING_API_KEY: "never-used" } });
    await textAt(served.url);
    await textAt(`${served.url}?at=2027-03-01T00:00`);
    expect(await served.stop()).toBe(130);
    expect(filesBelow(directory)).toEqual(before);
    await expect(fetch(served.url)).rejects.toThrow();
  });

  test("a port that is in use is an error; the usual one is replaced", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    open.push(() => other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const ran = await ticketing(["preview", "--port", String(port), "-C", folderOf(files)]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(`error[port-in-use] Port ${port} on 127.0.0.1 is in use by another program.`);
    expect(ran.stderr).toContain("fix: Choose another with --port N");
  });

  test.each([
    ["a folder that is not there", ["-C", "/nonexistent-folder"], "no-such-folder"],
    ["a time that is none", ["--at", "soon", "-C", "FOLDER"], "usage"],
    ["an environment that is none", ["--env", "prodution", "-C", "FOLDER"], "unknown-environment"],
  ])("%s is an error", async (_name, argv, code) => {
    const folder = folderOf(files);
    const ran = await ticketing(["preview", "--port", "0", ...argv.map((word) => word.replace("FOLDER", folder))]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(`error[${code}]`);
  });

  test("a folder that holds nothing of a project is an error", async () => {
    const ran = await ticketing(["preview", "--port", "0", "-C", folderOf({ "README.md": "# none\n" })]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("ticketing init");
  });
});

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => `${path} ${statSync(join(directory, path)).mtimeMs}`)
    .sort();
}
