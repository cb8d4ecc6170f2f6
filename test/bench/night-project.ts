// The project that whole plans and applies are measured with: so many events with everything below them.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The day of the n-th night: some events share one, as they do, and most do not. */
export function nightOf(index: number): { readonly day: string; readonly next: string } {
  const at = Date.UTC(2027, 2, 14 + (index % 300));
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { day: dayOf(at), next: dayOf(at + 86_400_000) };
}

export function writeProject(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-bench-"));
  mkdirSync(join(folder, "events"));
  writeNights(folder, 0, count);
  return folder;
}

export function writeNights(folder: string, from: number, count: number): void {
  for (let index = from; index < from + count; index++) {
    const { day, next } = nightOf(index);
    const text = `name: Night ${index}
dateTime: ${day}T19:00
description: A night out in the city, with three rooms and a terrace.
endDateTime: ${next}T01:00
locationType: ONLINE
imageUrl: https://images.example/night.jpg
status: PUBLISHED
tickets:
  - { name: GA, price: 1500, quantity: 100, published: true }
  - { name: VIP, price: 4500, quantity: 20, published: true }
performers:
  - { name: Ana, type: DJ }
schedules:
  - { title: Set, startTime: ${day}T19:00, endTime: ${day}T20:00, performer: Ana }
brands:
  - { name: Acme, url: "https://acme.example" }
`;
    writeFileSync(join(folder, "events", `night-${index}.yaml`), text);
  }
}
