// A record that is there and has no id that may be used in a call must not pass for missing, or what it shows would be made again.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";
import { type OtherIds, serveOtherIds } from "../../stage/other-ids.ts";

const nights = `name: Nights
dateTime: 2027-03-14T19:00+08:00
performers: [{ name: Ana }]
`;

let project: Project;
let service: OtherIds;

beforeEach(async () => {
  project = await openProject({ "events/nights.yaml": nights });
  const { dump } = project.sandbox.service;
  const isPerformer = (id: string) => dump().performers.some((row) => row.id === id);
  service = await serveOtherIds(project.sandbox.baseUrl, (id) => (isPerformer(id) ? `p_${id.slice(-4)}` : id));
  project.env.TICKETING_BASE_URL = service.baseUrl;
  project.sandbox.control.addFault({ kind: "error-after", method: "POST", path: "/performers" });
});
afterEach(async () => {
  await service.close();
  await project.close();
});

test("after a lost response it is not sent again", async () => {
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(1);
  expect(report.outcomes[1]).toMatchObject({ result: "unsure", error: { code: "unexpected-response" } });
  expect(report.outcomes[1]?.error?.message).toMatch(/the performer "Ana" with the id "p_.*", which is not a UUID/);
  expect(project.writes()).toEqual(["POST /events", "POST /events/ID/performers"]);
});

test("the next run does not say that it was not made, and sends nothing", async () => {
  await project.apply();
  project.writes();
  const { exitCode, stdout, stderr } = await project.run(["apply", "--yes", "--settle", "0"]);
  expect(exitCode).toBe(1);
  expect(stdout + stderr).not.toContain("the service does not list it");
  expect(stderr.replace(/\s+/g, " ")).toContain('looking for it failed. The service returned the performer "Ana"');
  expect(project.writes()).toEqual([]);
});
