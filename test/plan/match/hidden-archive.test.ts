// Some services hide an archived event, and everything below it, from all but the list of archived events.
import { expect, test } from "vitest";
import { createService, type SandboxRequest } from "../../../src/sandbox/index.ts";
import { now, planOf } from "../../stage/plan-of.ts";

const id = "5c4ed01e-0000-4000-8000-000000000001";
const start = "2027-03-14T19:00:00+08:00";
const tickets = [{ name: "VIP", price: 4500, quantity: 100, published: false }];

test.each([{}, { id }])("there is nothing to do for it, with nothing that remembers it: %j", async (pin) => {
  const service = createService({ now: () => now });
  service.control.seed({ events: [{ id, name: "Gala", dateTime: start, status: "ARCHIVED", tickets }] });
  const handle = service.handle.bind(service);
  const hide = ({ path, ...request }: SandboxRequest) =>
    handle({ ...request, path: path.replace(new RegExp(id, "i"), "00000000-0000-4000-8000-000000000009") });
  Object.assign(service, { handle: hide });
  const gala = { ...pin, name: "Gala", status: "ARCHIVED", dateTime: start, tickets };
  const { plan } = await planOf({ files: { "events/gala.yaml": JSON.stringify(gala) }, service });
  expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(plan.changes).toEqual([]);
});
