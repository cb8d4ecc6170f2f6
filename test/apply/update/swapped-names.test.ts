// Two ticket types that swap names, where the service allows a name only once: what to do is said, and then works.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

function fileOf(...tickets: readonly string[]): string {
  const lines = tickets.map((ticket) => `  - { ${ticket}, price: 100, quantity: 10, published: false }\n`);
  return `name: Jazz\ndateTime: 2027-03-14T19:00+08:00\ntickets:\n${lines.join("")}`;
}

test("a refused swap says how to get there by a temporary name", async () => {
  project = await openProject({ "events/jazz.yaml": fileOf("name: VIP", "name: GA") }, { profile: "uniqueNames=yes" });
  expect((await project.apply()).exitCode).toBe(0);
  const { objects } = await project.state();
  const [vip, ga] = ["VIP", "GA"].map((name) => objects[`events/jazz/tickets/${name}`]?.id);

  await project.write("events/jazz.yaml", fileOf(`id: ${vip}, name: GA`, `id: ${ga}, name: VIP`));
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(1);
  expect(report.outcomes.map(({ result }) => result)).toEqual(["failed", "skipped"]);
  expect(report.outcomes[0]?.error?.hint).toContain("If two are to swap, give one of them a temporary name, apply");

  for (const name of ["Box", "VIP"]) {
    await project.write("events/jazz.yaml", fileOf(`id: ${vip}, name: GA`, `id: ${ga}, name: ${name}`));
    expect((await project.apply()).exitCode).toBe(0);
  }
  expect(project.sandbox.service.dump().tickets).toMatchObject([
    { id: vip, name: "GA" },
    { id: ga, name: "VIP" },
  ]);
});
