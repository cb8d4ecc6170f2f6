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
  const answers = new Map<string, Promise<Result<unknown>>>();
  /** As texts: of ten thousand events, the records themselves would take five times the memory. */
  const done = new Map<string, string>();
  for (const [key, response] of Object.entries(kept)) done.set(key, JSON.stringify(response));

  function isHidden(record: unknown): boolean {
    return typeof record === "object" && record !== null && "id" in record && hidden.has(idKey(String(record.id)));
  }

  const ask: Read = (path, query, again) => {
    const key = `${path}?${JSON.stringify(query)}`;
    if (again) {
      done.delete(key);
      answers.delete(key);
    }
    const known = done.get(key);
    if (known !== undefined)
      return Promise.resolve({ ok: true, status: 200, ...(JSON.parse(known) as CachedResponse) });
    const asked = answers.get(key);
    if (asked !== undefined) return asked;
    const answer = client.request("GET", path, { query }).then((result) => {
      if (result.ok) {
        done.set(key, JSON.stringify({ data: result.data, meta: result.meta } satisfies CachedResponse));
        answers.delete(key);
      }
      return result;
    });
    answers.set(key, answer);
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
    forget(path) {
      for (const key of [...done.keys(), ...answers.keys()]) {
        if (key.startsWith(`${path}?`)) {
          done.delete(key);
          answers.delete(key);
        }
      }
    },
    kept: () => Object.fromEntries(Array.from(done, ([key, text]) => [key, JSON.parse(text) as CachedResponse])),
  };
}
