// State names what exists: what somebody else deleted on the service, and the files no longer name, leaves it.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(async () => {
  await project.close();
});

const jazz = (more: string) => `name: Jazz\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n${more}`;
const first = jazz(
  "tickets: [{ name: X, price: 100, quantity: 50 }]\nperformers: [{ name: P }]\nbrands: [{ name: B }]\n",
);

async function state(): Promise<Readonly<Record<string, { readonly id: string }>>> {
  const { stdout } = await project.run(["state", "pull"]);
  return (JSON.parse(stdout) as { objects: Record<string, { id: string }> }).objects;
}

async function deleteByHand(path: string): Promise<void> {
  const headers = { "api-key": project.sandbox.apiKey };
  expect((await fetch(`${project.sandbox.baseUrl}${path}`, { method: "DELETE", headers })).ok).toBe(true);
}

async function apply(text: string): Promise<readonly string[]> {
  await project.write("events/jazz.yaml", text);
  expect((await project.apply("--allow", "delete-event")).exitCode).toBe(0);
  return Object.keys(await state());
}

test("what was below an event that is made again", async () => {
  project = await openProject({});
  await apply(first);
  const { "events/jazz": before } = await state();
  await deleteByHand(`/events/${before?.id}`);
  const names = await apply(
    jazz("tickets: [{ name: Y, price: 100, quantity: 50 }]\nperformers: [{ name: P2 }]\nbrands: []\n"),
  );
  expect(names).toEqual(["events/jazz", "events/jazz/performers/P2", "events/jazz/tickets/Y"]);
});

test("an entry that the file drops, too", async () => {
  project = await openProject({});
  await apply(first);
  const objects = await state();
  await deleteByHand(`/events/${objects["events/jazz"]?.id}/brands/${objects["events/jazz/brands/B"]?.id}`);
  expect(await apply(first.replace("[{ name: B }]", "[]"))).toEqual([
    "events/jazz",
    "events/jazz/performers/P",
    "events/jazz/tickets/X",
  ]);
});

test("a target that only state has is no mistake", async () => {
  project = await openProject({});
  await apply(first);
  const objects = await state();
  await deleteByHand(`/events/${objects["events/jazz"]?.id}/brands/${objects["events/jazz/brands/B"]?.id}`);
  await project.write("events/jazz.yaml", first.replace("[{ name: B }]", "[]"));
  const { exitCode, plan } = await project.plan("--target", "events/jazz/brands/B");
  expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
  expect((await project.plan("--target", "events/jazz/brands/C")).exitCode).toBe(1);
});

test("an event whose file says DELETED; bringing it back is no repair", async () => {
  project = await openProject({});
  await apply(first);
  const { "events/jazz": before } = await state();
  await deleteByHand(`/events/${before?.id}`);
  expect(await apply(`${first}status: DELETED\n`)).toEqual([]);
  await project.write("events/jazz.yaml", first);
  const { plan } = await project.plan();
  expect(plan.diagnostics.map(({ code }) => code)).not.toContain("deleted-outside");
});
