// Reads of the service, each made at most once a run. They can be stored for the next run if this one is cut short.
import { isInFamily } from "../kinds/index.ts";
import { attempt, orHalt, type ResultOr } from "../model/diagnostic.ts";
import { asSentence } from "../model/value.ts";
import type { TicketingClient } from "../service/client.ts";
import { type ListSource, type Query, type Read, readAll, readFirstPage, readPages } from "../service/paging.ts";
import { type Failure, isGone, type PageMeta, type Problem, type Result } from "../service/problem.ts";

/** `scope`: what the call requires of the key, if that differs from what the whole command requires. */
type ReadFailure = Failure & { readonly scope?: string };

/** The result of reads, or why the service could not be read to the end. */
export function attemptRead<Value>(
  work: () => Promise<Value>,
): Promise<ResultOr<{ readonly value: Value }, ReadFailure>> {
  return attempt(work, (why) => "problem" in why);
}

/** A response of the service as it is kept between runs. */
export interface CachedResponse {
  readonly data: unknown;
  readonly meta: PageMeta | null;
  /** When an earlier run read it; left out: this one did. */
  readonly at?: number;
}

/** With the question that was asked: `/events/ID/tickets?{"take":100}`. */
export type KeptResponse = readonly [question: string, response: CachedResponse];

export interface FirstPage {
  readonly records: readonly unknown[];
  /** More than one if the service does not say, and there may be more. */
  readonly pages: number;
  /** How many items there are on all pages; null if unknown. */
  readonly total: number | null;
}

export interface Reader {
  /** One object; null if there is none. */
  one(path: string): Promise<unknown>;
  page(path: string, query: Query, sized: boolean): Promise<Result<FirstPage>>;
  /** All pages of a list. `sized`: request large pages; `least`: how many were created in it, if that was recently. */
  all(path: string, query?: Query, sized?: boolean, least?: number): Promise<readonly unknown[]>;
  /** All pages of a list, one after the other. */
  each(path: string, query: Query, sized: boolean): AsyncGenerator<Result<readonly unknown[]>, void, undefined>;
  forget(path: string): void;
  /** Any read, with its problem as a value. */
  ask(path: string, query?: Query): Promise<Result<unknown>>;
  /** Everything read so far, one after the other: all at once would take much memory. */
  kept(): Iterable<KeptResponse>;
  /** The questions that earlier runs asked, and this one has not. */
  readonly unasked: ReadonlySet<string>;
}

export function makeReader(
  client: Pick<TicketingClient, "request" | "pause">,
  kept: Iterable<KeptResponse> = [],
): Reader {
  /** By path, then by query: reads in progress or failed, and results as text; as objects, ten thousand events would take five times the memory. */
  const responses = new Map<string, Map<string, Promise<Result<unknown>> | string>>();
  const unasked = new Set<string>();
  for (const [question, response] of kept) {
    const path = questionPath(question);
    responsesOf(path).set(question.slice(path.length + 1), JSON.stringify(response));
    if (response.at !== undefined) unasked.add(question);
  }

  function responsesOf(path: string): Map<string, Promise<Result<unknown>> | string> {
    const known = responses.get(path) ?? new Map();
    responses.set(path, known);
    return known;
  }

  const ask: Read = (path, query, again) => {
    const key = JSON.stringify(query);
    unasked.delete(`${path}?${key}`);
    const asked = again ? undefined : responses.get(path)?.get(key);
    if (typeof asked === "string")
      return Promise.resolve({ ok: true, status: 200, ...(JSON.parse(asked) as CachedResponse) });
    if (asked !== undefined) return asked;
    const response = client.request("GET", path, { query }).then((result) => {
      // What was forgotten in the meantime stays forgotten.
      const isWanted = responses.get(path)?.get(key) === response;
      if (result.ok && isWanted)
        responsesOf(path).set(key, JSON.stringify({ data: result.data, meta: result.meta } satisfies CachedResponse));
      return result;
    });
    responsesOf(path).set(key, response);
    return response;
  };

  const lists: ListSource = { read: ask, memory: { take: 100 }, pause: (ms) => client.pause(ms) };

  return {
    ask: (path, query = {}) => ask(path, query, false),
    async one(path) {
      const result = await ask(path, {}, false);
      // Gone is a result, not a failure.
      if (!result.ok && isGone(result.problem)) return null;
      return orHalt(result.ok ? result : { ...result, problem: withEvent(result.problem, path) }).data;
    },
    async page(path, query, sized) {
      const page = await readFirstPage({ source: lists, path, query, options: { sized } });
      if (!page.ok) return page;
      return { ...page, data: { records: page.data, pages: page.pages ?? 1, total: page.meta?.total ?? null } };
    },
    async all(path, query = {}, sized = false) {
      const result = await readAll({ source: lists, path, query, options: { sized } });
      return orHalt(result.ok ? result : { ...result, problem: withDeletion(result.problem, path) }).data;
    },
    each: (path, query, sized) => readPages({ source: lists, path, query, options: { sized } }),
    forget: (path) => void responses.delete(path),
    *kept() {
      for (const [path, known] of responses)
        for (const [query, text] of known) if (typeof text === "string") yield [`${path}?${query}`, JSON.parse(text)];
    },
    unasked,
  };
}

/** An object whose lists are read was there a moment ago. */
function withDeletion(problem: Problem, path: string): Problem {
  const hint =
    "The event was deleted while it was being read, probably by an apply that is running: run the command again.";
  return isGone(problem) && isInFamily(path.slice(1)) ? { ...problem, hint } : problem;
}

/** One event that may not be read stops the whole plan, and the service need not say which. */
function withEvent(problem: Problem, path: string): Problem {
  const [, , id, list] = path.split("/");
  if (problem.status !== 403 || id === undefined || list !== undefined || !isInFamily(path.slice(1))) return problem;
  const advice = `This is about the event ${id}; \`ticketing state list\` shows its address. If the event no longer exists, run \`ticketing state rm ADDRESS\` and remove this id from its file; until then, --target plans the other events.`;
  return { ...problem, hint: problem.hint === null ? advice : `${asSentence(problem.hint)} ${advice}` };
}

export function questionPath(question: string): string {
  return question.slice(0, question.indexOf("?"));
}
