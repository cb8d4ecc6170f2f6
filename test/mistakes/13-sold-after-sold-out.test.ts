// Nothing remains of a type whose sale was closed early, and that is not the number of tickets sold.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

function gala(price: number, quantity: number): string {
  return [
    "status: PUBLISHED",
    "name: Gala",
    "dateTime: 2027-03-14T19:00",
    "tickets:",
    `  - { name: GA, price: ${price}, quantity: ${quantity}, published: true, soldOut: true }`,
    "  - { name: VIP, price: 4500, quantity: 10, published: true }",
    "",
  ].join("\n");
}

/** 120 of 2,000 are sold when the sale is closed. */
async function closedEarly(): Promise<Project> {
  const project = await openProject({ "events/gala.yaml": gala(1500, 2000).replace(", soldOut: true", "") });
  open.push(project.close);
  await project.apply();
  project.sandbox.control.sell({ event: "gala", ticket: "GA", count: 120 });
  await project.write("events/gala.yaml", gala(1500, 2000));
  expect((await project.apply()).exitCode).toBe(0);
  return project;
}

/** The same service, whose orders do not show what they are of. */
async function withoutItems(project: Project): Promise<string> {
  const front = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "", project.sandbox.baseUrl), {
      method: request.method ?? "GET",
      headers: { "api-key": String(request.headers["api-key"]) },
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(await answer.json(), (name, value) => (name === "orderItems" ? undefined : value)));
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => front.close(resolve)));
  return project.sandbox.baseUrl.replace(/:\d+/, `:${(front.address() as AddressInfo).port}`);
}

for (const format of ["text", "markdown", "html"]) {
  test(`the number in ${format} is what orders show, as in status`, async () => {
    const project = await closedEarly();
    await project.write("events/gala.yaml", gala(1800, 2000));
    const plan = await project.run(["plan", "--format", format]);
    expect(plan.stdout).toContain("120 sold");
    expect(plan.stdout).toMatch(/120\s+tickets\s+have\s+been\s+sold/);
    expect(plan.stdout).not.toMatch(/2,?000 (sold|tickets are sold)/);
    const status = JSON.parse((await project.run(["status", "--format", "json"])).stdout);
    expect(status.events[0].tickets[0]).toMatchObject({ name: "GA", sold: 120, remaining: 0 });
  });
}

test("it is 'some' where orders do not show their ticket types, in plan and status", async () => {
  const project = await closedEarly();
  await project.write("events/gala.yaml", gala(1800, 2000));
  const baseUrl = await withoutItems(project);
  const env = { ...project.env, TICKETING_BASE_URL: baseUrl };
  const plan = await project.run(["plan"], { env });
  expect(plan.stdout).toContain("some sold");
  expect(plan.stdout).toMatch(/although\s+some\s+tickets\s+have\s+been\s+sold/);
  expect(plan.stdout).not.toMatch(/2,?000 (sold|tickets)/);
  const status = await project.run(["status", "gala"], { env });
  expect(status.stdout).toMatch(/GA +some +0 +2,000/);
});

test("a quantity is held against what orders show, not against what is left of a closed sale", async () => {
  const project = await closedEarly();
  await project.write("events/gala.yaml", gala(1500, 500));
  expect((await project.plan()).plan.changes.flatMap((change) => change.blockedBy)).toEqual([]);
  await project.write("events/gala.yaml", gala(1500, 100));
  const blocks = (await project.plan()).plan.changes.flatMap((change) => change.blockedBy);
  expect(blocks).toMatchObject([{ code: "quantity-below-sold" }]);
  expect(blocks[0]?.message).toContain("120 tickets have been sold");
});

test("orders are read no further than a change needs them", async () => {
  const project = await closedEarly();
  await project.write(
    "events/gala.yaml",
    gala(1500, 2000).replace("name: Gala", "name: Gala\ndescription: Come early."),
  );
  project.sandbox.control.clearCalls();
  expect((await project.plan()).plan.changes).toHaveLength(1);
  expect(project.sandbox.control.calls().filter((call) => call.path.includes("/orders"))).toEqual([]);
});
