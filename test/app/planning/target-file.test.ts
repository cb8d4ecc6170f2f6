import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

test.each(["events/gala", "events/gala.yaml", "gala"])(
  "--target %s, a file whose document has another key, gets the right address",
  async (target) => {
    const event = "name: Gala\ndateTime: 2027-03-14T19:00\n";
    project = await openProject({ "events/gala.yaml": `key: gala-2027\n${event}` });
    const { plan, exitCode } = await project.plan("--target", target);
    expect(exitCode).toBe(1);
    const [unknown] = plan.diagnostics.filter(({ code }) => code === "unknown-target");
    expect(unknown?.hint).toBe(
      "Did you mean events/gala-2027? The event in events/gala.yaml has a `key` that differs from its file's name.",
    );
  },
);

test("--target of a webhook with its plain URL gets the right address", async () => {
  const url = "https://hooks.example.com/orders";
  project = await openProject({ "webhooks.yaml": `- { url: "${url}", events: [order.completed] }\n` });
  const { plan } = await project.plan("--target", `webhooks/${url}`);
  const [unknown] = plan.diagnostics.filter(({ code }) => code === "unknown-target");
  expect(unknown?.hint).toBe("Did you mean webhooks/https:%2F%2Fhooks.example.com%2Forders?");
});

test.each([
  ["Manila Nights", "events/manila-nights"],
  ["events/manila", "events/manila-nights"],
  ["friday", "events/friday-club"],
  ["Noche", "events/friday-club"],
  ["ev", undefined],
])("--target %s, a name or the start of an address, gets it if it is the only one", async (target, address) => {
  const rest = "dateTime: 2027-03-14T19:00\n";
  project = await openProject({
    "events/manila-nights.yaml": `name: Manila Nights\n${rest}`,
    "events/friday-club.yaml": "name: Noche\ndateTime: 22:00\nseries: { every: friday, from: 2027-01-08, count: 2 }\n",
  });
  const { plan } = await project.plan("--target", target);
  const [unknown] = plan.diagnostics.filter(({ code }) => code === "unknown-target");
  expect(unknown?.hint).toContain(address === undefined ? "An address looks like" : `Did you mean ${address}?`);
});
