// A new event whose lists are not found at first: its create gave its id, so it exists, and reads are only late.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

const nights = `name: Nights
status: PUBLISHED
dateTime: 2027-03-14T19:00+08:00
tickets:
  - { name: GA, price: 3500, quantity: 100, published: true }
performers:
  - { name: Ana }
`;

let project: Project;
afterEach(() => project.close());

test("is waited for, and goes live in the same run", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  project.sandbox.control.addFault({ kind: "error-before", status: 404, method: "GET", path: "/tickets", times: 2 });
  const { exitCode, report } = await project.apply("--settle", "5");
  expect([exitCode, report.summary]).toMatchObject([0, { failed: 0, unsure: 0, skipped: 0 }]);
  expect(project.sandbox.service.dump().events).toMatchObject([{ status: "PUBLISHED" }]);
});

test("is not said to be missing if it stays so", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  project.sandbox.control.addFault({ kind: "error-before", status: 404, method: "GET", path: "/tickets", times: 0 });
  const { exitCode, stdout } = await project.apply();
  expect(exitCode).toBe(1);
  expect(stdout).toContain("could not be read");
  expect(stdout).toContain('It depends on \\"nights\\", and it is not confirmed that it was created.');
});
