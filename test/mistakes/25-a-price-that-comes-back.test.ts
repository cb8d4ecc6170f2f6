// A price that goes back to where it was is a hundred times the one on the service. It looked like centavos, was refused, and tickets
// went on for a hundredth of their price.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

const event = (more = "") =>
  `name: Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\ntickets: [{ name: GA, price: 1500, quantity: 100, published: true }]\n${more}`;

function ticket() {
  return project.sandbox.control.dump().tickets[0] as unknown as { id: string; eventId: string; price: number };
}

test("at the end of a phase it comes back, with a warning", async () => {
  const phase = "phases: [{ from: 2027-01-01T10:00, until: 2027-01-02T10:00, tickets: [{ name: GA, price: 10 }] }]\n";
  project = await openProject({ "events/gala.yaml": event(phase) });
  const applyAt = (now: string) =>
    project.run(["apply", "--yes", "--settle", "0", "--format", "json"], { now: () => Date.parse(now) });
  for (const [now, expected, codes] of [
    ["2026-12-01T00:00:00Z", 1500, []],
    ["2027-01-01T03:00:00Z", 10, []],
    ["2027-01-02T03:00:00Z", 1500, ["price-looks-like-centavos"]],
  ] as const) {
    const { exitCode, stdout } = await applyAt(now);
    const { plan } = JSON.parse(stdout) as { plan: { diagnostics: { code: string; severity: string }[] } };
    const centavos = plan.diagnostics.filter(({ code }) => code === "price-looks-like-centavos");
    expect(centavos.map(({ code }) => code)).toEqual(codes);
    expect(centavos.every(({ severity }) => severity === "warning")).toBe(true);
    expect([exitCode, ticket().price]).toEqual([0, expected]);
  }
});

test("somebody's slip on the service is undone, with a warning", async () => {
  project = await openProject({ "events/gala.yaml": event() });
  expect((await project.apply()).exitCode).toBe(0);
  const { baseUrl, apiKey } = project.sandbox;
  const headers = { "api-key": apiKey, "content-type": "application/json" };
  const path = `${baseUrl}/events/${ticket().eventId}/tickets/${ticket().id}`;
  const slip = await fetch(path, { method: "PATCH", headers, body: '{"price":15}' });
  expect([slip.status, ticket().price]).toEqual([200, 15]);
  const { exitCode, report } = await project.apply();
  expect(report.plan.changes).toMatchObject([
    { edits: [{ path: "/price", before: 15, after: 1500, origin: "drift" }] },
  ]);
  expect(report.plan.diagnostics).toMatchObject([{ code: "price-looks-like-centavos", severity: "warning" }]);
  expect([exitCode, ticket().price]).toEqual([0, 1500]);
});

test("a new price that is a hundred times the live one is still refused", async () => {
  project = await openProject({ "events/gala.yaml": event() });
  expect((await project.apply()).exitCode).toBe(0);
  await project.edit("events/gala.yaml", (text) => text.replace("1500", "150000"));
  expect((await project.plan()).exitCode).toBe(1);
});
