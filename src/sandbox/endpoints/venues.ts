import type { Call, Reply } from "../call.ts";
import { arrange, pageOf } from "../list.ts";
import { invalid } from "../refusal.ts";
import { venues } from "../venues.ts";

export function searchVenues(call: Call): Reply {
  const { desk, query } = call;
  const text = (query.get("query") ?? "").trim().toLowerCase();
  if (text === "") throw invalid([{ field: "query", message: "query is required: the text of a venue's name" }]);
  const found = [...venues, ...desk.store.venues.all()].filter((venue) => venue.name.toLowerCase().includes(text));
  return pageOf(call, arrange(desk, found), (venue) => venue);
}
