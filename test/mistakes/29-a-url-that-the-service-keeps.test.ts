// A service that accepts a change of a URL and keeps the former one, beside one that copies pictures to a place of its own.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
const closers: (() => void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await project.close();
});

const gala = (field: string, url: string) =>
  `name: Gala\ndateTime: 2099-03-14T19:00\nlocationType: ONLINE\n${field}: ${url}\n`;

/** The same service, but a PATCH is answered and not made; `change`: what it shows instead. */
async function ignoringPatches(change = (body: string) => body): Promise<void> {
  const behind = new URL(project.sandbox.baseUrl);
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "", behind), {
      headers: { "api-key": String(request.headers["api-key"]) },
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(change(await answer.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  project.env.TICKETING_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}${behind.pathname}`;
}

test.each(["callbackUrl", "description"])("%s: every run fails, and the next plan shows the change", async (field) => {
  project = await openProject({ "events/gala.yaml": gala(field, "https://one.example/a.jpg") });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/gala.yaml", gala(field, "https://two.example/b.jpg"));
  await ignoringPatches();
  for (const _ of ["once", "again"]) {
    expect((await project.apply()).exitCode).toBe(1);
    const { plan } = await project.plan();
    expect(plan.changes.flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual([`/${field}`]);
  }
});

test("a picture that the service copies to one place for each event is no failure", async () => {
  const place = "https://pictures.example/of-gala.jpg";
  project = await openProject({ "events/gala.yaml": gala("imageUrl", place) });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/gala.yaml", gala("imageUrl", "https://two.example/b.jpg"));
  await ignoringPatches((body) => body.replaceAll(/"imageUrl":"[^"]*"/g, `"imageUrl":"${place}"`));
  expect((await project.apply()).exitCode).toBe(0);
  expect((await project.plan()).plan.changes).toEqual([]);
});
