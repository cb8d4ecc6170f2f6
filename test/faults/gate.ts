// Whether anything becomes public before it is whole: looked at after each call that publishes.
import type { SandboxService } from "../../src/sandbox/index.ts";
import { type Picture, pictureOf } from "./picture.ts";

export interface Gate {
  /** Called for every call that the service answered. */
  watch(method: string, path: string): void;
  tooEarly(): number;
}

/** What was there before may be public as it is. */
export function watchGate(service: SandboxService, wished: Picture): Gate {
  const known = new Set(service.dump().events.map((row) => row.id));
  let tooEarly = 0;
  return {
    watch(method, path) {
      const id = method === "POST" ? /\/events\/([^/]+)\/publish$/.exec(path)?.[1] : undefined;
      if (id !== undefined && !known.has(id) && !isWhole(service, wished, id)) tooEarly += 1;
    },
    tooEarly: () => tooEarly,
  };
}

/** What is public is as it will be in the end, and public once only. */
function isWhole(service: SandboxService, wished: Picture, id: string): boolean {
  const rows = service.dump().events as unknown as readonly PublicRow[];
  const row = rows.find((each) => each.id === id);
  if (row?.status !== "PUBLISHED") return true;
  const twins = rows.filter(
    (each) => each.name === row.name && each.dateTime === row.dateTime && each.status === row.status,
  );
  const isOwn = (each: PublicRow) =>
    each.name === row.name && each.dateTime === row.dateTime && each.status === row.status;
  const own = rowsIn(pictureOf(service)).find(isOwn);
  const end = rowsIn(wished).find(isOwn);
  return twins.length === 1 && own !== undefined && end !== undefined && holds(own, end);
}

function rowsIn(picture: Picture): readonly PublicRow[] {
  return picture.events.map((each) => JSON.parse(each) as PublicRow);
}

/** Everything that it will have in the end. A late twin next to it is swept later. */
function holds(own: PublicRow, end: PublicRow): boolean {
  return Object.entries(end).every(([key, value]) => {
    const shown = (own as unknown as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(value)) return JSON.stringify(shown) === JSON.stringify(value);
    return value.every((each) => (shown as readonly unknown[]).includes(each));
  });
}

interface PublicRow {
  readonly id: string;
  readonly name: string;
  readonly dateTime: string;
  readonly status: string;
}
