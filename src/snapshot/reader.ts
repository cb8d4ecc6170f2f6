// Reads of the service, each made at most once a run. What was read can be kept for the next run if this one is cut short.
import { idKey } from "../model/address.ts";
import type { TicketingClient } from "../service/client.ts";
import { type ListSource, type Query, type Read, readAll, readFirstPage, readPages } from "../service/paging.ts";
import type { PageMeta, Problem, Result } from "../service/problem.ts";

/** The service could not be read to the end, so nothing can be planned. */
export class ReadFailure extends Error {
  readonly problem: Problem;
  /** The scope that the call needs, if it is not one that the whole command needs. */
  readonly scope: string | null;

  constructor(problem: Problem, scope: string | null = null) {
    super(problem.message);
    this.name = "ReadFailure";
    this.problem = problem;
    this.scope = scope;
  }
}

/** A response of the service as it is kept between runs. */
export interface CachedResponse {
  readonly data: unknown;
  readonly meta: PageMeta | null;
}

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
  /** The first page of a list, and how many there are. */
  page(path: string, query: Query, sized: boolean): Promise<Result<FirstPage>>;
  /** All pages of a list. `sized`: ask for large pages. */
  all(path: string, query?: Query, sized?: boolean): Promise<readonly unknown[]>;
  /** All pages of a list, one after the other. */
  each(path: string, query: Query, sized: boolean): AsyncGenerator<Result<readonly unknown[]>, void, undefined>;
  /** Forgets a list, so that it is read again. */
  forget(path: string): void;
  /** Any read, with its problem as a value. */
  ask(path: string, query?: Query): Promise<Result<unknown>>;
  /** Everything read so far. */
  kept(): Readonly<Record<string, CachedResponse>>;
}

export function makeReader(
  client: Pick<TicketingClient, "request" | "pause">,
  kept: Readonly<Record<string, CachedResponse>> = {},
  /** Ids of objects that will be deleted: they count as missing. */
  hidden: ReadonlySet<string> = new Set(),
): Reader {
  /**
   * By path, then by query: what is being read, or could not be, and what was read, as text. Of ten thousand events, the records
   * themselves would take five times the memory.
   */
  const answers = new Map<string, Map<string, Promise<Result<unknown>> | string>>();
  for (const [question, response] of Object.entries(kept)) {
    const { path, query } = readQuestion(question);
    answersOf(path).set(query, JSON.stringify(response));
  }

  function answersOf(path: string): Map<string, Promise<Result<unknown>> | string> {
    const known = answers.get(path) ?? new Map();
    answers.set(path, known);
    return known;
  }

  function isHidden(record: unknown): boolean {
    return typeof record === "object" && record !== null && "id" in record && hidden.has(idKey(String(record.id)));
  }

  const ask: Read = (path, query, again) => {
    const key = JSON.stringify(query);
    const asked = again ? undefined : answers.get(path)?.get(key);
    if (typeof asked === "string")
      return Promise.resolve({ ok: true, status: 200, ...(JSON.parse(asked) as CachedResponse) });
    if (asked !== undefined) return asked;
    const answer = client.request("GET", path, { query }).then((result) => {
      // What was forgotten in the meantime stays forgotten.
      const isWanted = answers.get(path)?.get(key) === answer;
      if (result.ok && isWanted)
        answersOf(path).set(key, JSON.stringify({ data: result.data, meta: result.meta } satisfies CachedResponse));
      return result;
    });
    answersOf(path).set(key, answer);
    return answer;
  };

  const lists: ListSource = { read: ask, memory: { take: 100 }, pause: (ms) => client.pause(ms) };

  return {
    ask: (path, query = {}) => ask(path, query, false),
    async one(path) {
      const result = await ask(path, {}, false);
      if (result.ok) return isHidden(result.data) ? null : result.data;
      // Gone is a result, not a failure.
      if (result.problem.status === 404 || result.problem.status === 410) return null;
      throw new ReadFailure(result.problem);
    },
    async page(path, query, sized) {
      const page = await readFirstPage(lists, path, query, { sized });
      if (!page.ok) return page;
      const total = page.meta?.total ?? null;
      return { ...page, data: { records: page.data.filter((each) => !isHidden(each)), pages: page.pages ?? 1, total } };
    },
    async all(path, query = {}, sized = false) {
      const result = await readAll(lists, path, query, { sized });
      if (!result.ok) throw new ReadFailure(result.problem);
      return hidden.size === 0 ? result.data : result.data.filter((each) => !isHidden(each));
    },
    each: (path, query, sized) => readPages(lists, path, query, { sized }),
    forget: (path) => void answers.delete(path),
    kept() {
      const all: Record<string, CachedResponse> = {};
      for (const [path, known] of answers)
        for (const [query, text] of known)
          if (typeof text === "string") all[`${path}?${query}`] = JSON.parse(text) as CachedResponse;
      return all;
    },
  };
}

/** Of a question as it is kept: `/events/ID/tickets?{"take":100}`. */
function readQuestion(question: string): { readonly path: string; readonly query: string } {
  const end = question.indexOf("?");
  return { path: question.slice(0, end), query: question.slice(end + 1) };
}
