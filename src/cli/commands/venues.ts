// ticketing venues search: venues by name, with what to paste into an event's file.
import { withService } from "../../app/operate.ts";
import { explainProblem, reportProblems, type TargetOptions } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { renderVenuesText, type VenueView, venueYaml } from "../../report/lists.ts";
import { safeJson } from "../../report/text.ts";
import type { VenueRecord } from "../../service/records.ts";

export interface VenuesSearchOptions extends TargetOptions {
  readonly format: "text" | "json";
  readonly text: string;
  readonly city?: string;
}

export async function runVenuesSearch(world: World, options: VenuesSearchOptions): Promise<number> {
  const { format, text: query } = options;
  const city = options.city ?? null;
  return withService(world, options, { scope: "events:read" }, async ({ target }) => {
    const result = await target.client.listAll("/venues/search", { query });
    if (!result.ok) {
      if (world.interrupted.aborted) return 1;
      return reportProblems(world, format, [explainProblem(result.problem, "events:read")]);
    }
    const found = result.data.flatMap((record) => viewVenue(record) ?? []);
    const venues = found.filter((venue) => isIn(venue, city)).sort(byNameAndCity);
    if (format === "json") {
      const shown = venues.map((venue) => ({ ...venue, yaml: venueYaml(venue, found) }));
      world.stdout.write(`${safeJson({ formatVersion: 1, query, city, venues: shown })}\n`);
    } else {
      const { columns } = world.stdout;
      world.stdout.write(renderVenuesText(venues, { columns, query, city, found: found.length }));
    }
    return 0;
  });
}

/** "Quezon" finds Quezon City. */
function isIn(venue: VenueView, city: string | null): boolean {
  return city === null || simple(venue.city ?? "").includes(simple(city));
}

function byNameAndCity(one: VenueView, other: VenueView): number {
  const [left, right] = [one, other].map(({ name, city, id }) => `${name} ${city} ${id}`.toLowerCase());
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

function viewVenue(shown: unknown): VenueView | null {
  if (typeof shown !== "object" || shown === null) return null;
  const record = shown as Partial<VenueRecord>;
  if (typeof record.id !== "string") return null;
  return {
    id: record.id,
    name: textOf(record.name),
    address1: textOf(record.address1),
    city: textOf(record.city),
    state: textOf(record.state),
    country: textOf(record.country),
    latitude: numberOf(record.latitude),
    longitude: numberOf(record.longitude),
  };
}

function simple(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
