// A response may repeat what was sent while the service keeps something else: what is read afterwards counts.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

const profile = "writeResponse=echo,createResponse=echo,trim=collapse,html=sanitized";

let project: Project;
afterEach(() => project.close());

async function settlesAfter(text: string): Promise<void> {
  await project.write("events/nights.yaml", text);
  expect((await project.apply()).exitCode).toBe(0);
  project.writes();
  const again = await project.apply();
  expect([again.exitCode, project.writes()]).toEqual([0, []]);
}

const nights = `name: "Nights  in  Manila"
dateTime: 2027-03-14T19:00+08:00
description: "Doors  at seven"
tickets:
  - { name: "General  Admission", price: 3500, quantity: 100 }
schedules:
  - { title: "Doors  open", startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00 }
`;

test("what a service keeps in its own form is remembered, though its responses repeat what was sent", async () => {
  project = await openProject({}, { profile });
  await settlesAfter(nights);
  await settlesAfter(nights.replace("Doors  at", "Doors open  at").replace("Nights  in", "Nights   in"));
});

test("a form that is kept says nothing about another one", async () => {
  project = await openProject({}, { profile });
  await project.write("events/plain.yaml", nights.replace(/ {2}/g, " ").replace("seven", "seven, señores"));
  await settlesAfter(nights.replace("03-14", "04-14"));
});

test("a read that is late is not taken for a form of the service's own", async () => {
  project = await openProject({ "events/nights.yaml": nights }, { profile: "readLag=1500,readLagIn=everywhere" });
  expect((await project.apply()).exitCode).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 1600));
  await project.write("events/nights.yaml", nights.replace("Doors  at seven", "Puertas a las siete, señores"));
  const { exitCode, report } = await project.apply();
  expect([exitCode, report.notes?.map(({ code }) => code) ?? []]).toEqual([0, []]);
  expect((await project.state()).objects["events/nights"]?.returned ?? {}).toEqual({});
});
