// The project that whole plans and applies are measured with: so many events with everything below them.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function writeProject(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-bench-"));
  mkdirSync(join(folder, "events"));
  for (let index = 0; index < count; index++) {
    const text = `name: Night ${index}
dateTime: 2027-03-14T19:00
description: A night out in the city, with three rooms and a terrace.
endDateTime: 2027-03-15T01:00
locationType: ONLINE
imageUrl: https://images.example/night.jpg
status: PUBLISHED
tickets:
  - { name: GA, price: 1500, quantity: 100, published: true }
  - { name: VIP, price: 4500, quantity: 20, published: true }
performers:
  - { name: Ana, type: DJ }
schedules:
  - { title: Set, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: Ana }
brands:
  - { name: Acme, url: "https://acme.example" }
`;
    writeFileSync(join(folder, "events", `night-${index}.yaml`), text);
  }
  return folder;
}
