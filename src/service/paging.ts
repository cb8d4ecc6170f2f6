// Lists, page by page, by what `meta` says. If the largest page size is unknown, large pages are requested first. A list
// that contradicts its own `meta` is a failed read: it may have changed meanwhile, so it is read again a few times.
import { formatCount } from "../model/value.ts";
import type { PageOptions, Query } from "./endpoints/path.ts";
import { checkShape, unexpected } from "./endpoints/response.ts";
import { failure, type Problem, problemOf, type Result, type Success } from "./problem.ts";

export type { PageOptions, Query } from "./endpoints/path.ts";

/** `again`: a response that is already known must not be used. */
export type Read = (path: string, query: Query, again: boolean) => Promise<Result<unknown>>;

/** Where lists are read from. */
export interface ListSource {
  readonly read: Read;
  /** What was learned about `take`, for the whole run. */
  readonly memory: { take: number };
  readonly pause: (ms: number) => Promise<void>;
}

interface ListRequest {
  readonly source: ListSource;
  readonly path: string;
  readonly query: Query;
  readonly options: PageOptions;
}

const takes: readonly number[] = [100, 50, 25, 10];
const mostPages = 10_000;
/** Pages requested at once, so that a wrong number of pages costs no more than that. */
const groupSize = 50;
/** Before a list that contradicted itself is read again. */
const pausesMs: readonly number[] = [250, 750, 1500];

/** One page after another, without items of earlier pages; the last value is a failure if the list could not be read to its end. */
export async function* readPages(request: ListRequest): AsyncGenerator<Result<readonly unknown[]>, void, undefined> {
  const known = new Set<unknown>();
  for await (const { page, number, round } of readRounds(request, 1)) {
    const fresh = page.ok ? page.data.filter((item, index) => isFirst(item, `${number}/${index}`, known)) : [];
    if (!page.ok) yield page;
    else if (round === 0 || fresh.length > 0) yield { ...page, data: fresh };
  }
}

/** All items of all pages, or a failure: part of a list never counts as the whole. `meta` is that of the first page. */
export async function readAll(request: ListRequest): Promise<Result<readonly unknown[]>> {
  let first: Success<readonly unknown[]> | null = null;
  let items: unknown[] = [];
  let latest = -1;
  for await (const { page, round } of readRounds(request, groupSize)) {
    if (!page.ok) return page;
    // What an earlier round showed no longer counts.
    if (round > latest) {
      latest = round;
      first = page;
      items = [];
    }
    for (const item of page.data) items.push(item);
  }
  return first === null ? failure(unexpected("GET", request.path, "list", 200)) : { ...first, data: items };
}

/** The first page of a list, and how many there are; more than one if that is not said and there may be more. */
export async function readFirstPage(
  request: ListRequest,
): Promise<Result<readonly unknown[]> & { readonly pages?: number }> {
  const { source, path } = request;
  for (let round = 0; ; round++) {
    const page = await readPage(request, {}, round > 0);
    if (!page.ok) return page;
    const list = startRead(page);
    // Only lists that have pages are read like this, whatever size was asked for.
    const data = addPage(list, page, { sized: true });
    const why = list.contradiction ?? (list.last === list.first ? whyIncomplete(list) : null);
    if (why === null) return { ...page, data, pages: list.last - list.first + 1 };
    const pauseMs = pausesMs[round];
    if (pauseMs === undefined) return failure(contradicts(path, why));
    await source.pause(pauseMs);
  }
}

interface RoundPage {
  readonly page: Result<readonly unknown[]>;
  readonly number: number;
  /** Which read of the whole list it is from. */
  readonly round: number;
}

/** The whole list, again from its start as long as it contradicts itself. */
async function* readRounds(request: ListRequest, atOnce: number): AsyncGenerator<RoundPage, void, undefined> {
  const { source, path, options } = request;
  for (let round = 0; ; round++) {
    const again = round > 0;
    const first = await readPage(request, {}, again);
    if (!first.ok) {
      yield { page: first, number: 1, round };
      return;
    }
    const list = startRead(first);
    yield { page: { ...first, data: addPage(list, first, options) }, number: list.number, round };
    while (list.contradiction === null && list.number < list.last && !isCompleteRead(list)) {
      const { number, last } = list;
      const numbers = Array.from({ length: Math.min(atOnce, last - number) }, (_, index) => number + 1 + index);
      const pages = await Promise.all(
        last - list.first >= mostPages
          ? [failure(tooManyPages(last - list.first + 1))]
          : numbers.map((each) => readPage(request, { page: each }, again)),
      );
      for (const page of pages) {
        if (!page.ok) {
          yield { page, number: list.number, round };
          return;
        }
        list.number++;
        yield { page: { ...page, data: addPage(list, page, options) }, number: list.number, round };
        if (list.contradiction !== null || list.number >= list.last) break;
      }
    }
    const why = list.contradiction ?? whyIncomplete(list);
    const pauseMs = pausesMs[round];
    if (why === null || (again && onlyMoves(list))) return;
    if (pauseMs === undefined) {
      yield { page: failure(contradicts(path, why)), number: list.number, round };
      return;
    }
    await source.pause(pauseMs);
  }
}

/** What was read of a list in one round, compared with what the service says about it. */
interface ListRead {
  readonly known: Set<unknown>;
  /** The number of the first page: services that count from 0 show it there. */
  readonly first: number;
  /** The page that was added last. */
  number: number;
  /** The last page, as far as is known. */
  last: number;
  read: number;
  /** How many items the service says there are: the fewest and the most it has said. */
  least: number;
  most: number;
  pageSize: number;
  /** The page before, if the service says nothing about its pages. */
  shown: string | null;
  contradiction: string | null;
}

function startRead(page: Success<readonly unknown[]>): ListRead {
  const first = page.meta?.page === 0 ? 0 : 1;
  const none = { read: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY, pageSize: 0 };
  return { known: new Set(), first, number: first, last: first, ...none, shown: null, contradiction: null };
}

/** Adds the page of `list.number`; returns those of its items that no earlier page has. */
function addPage(list: ListRead, page: Success<readonly unknown[]>, options: PageOptions): readonly unknown[] {
  const { number } = list;
  const shown = options.sized === true && page.meta === null ? JSON.stringify(page.data) : null;
  // A service that does not know pages shows the same ones again, perhaps without ids to know them by.
  const isRepeated = shown !== null && shown === list.shown;
  list.shown = shown;
  const fresh = isRepeated ? [] : page.data.filter((item, index) => isFirst(item, `${number}/${index}`, list.known));
  list.read += fresh.length;
  list.pageSize = Math.max(list.pageSize, page.data.length);
  const total = page.meta?.total ?? null;
  if (total !== null) {
    list.least = Math.min(list.least, total);
    list.most = Math.max(list.most, total);
  }
  list.last = Math.max(list.last, lastPage(list, page, fresh.length, options));
  list.contradiction ??= whyContradictory(list, page);
  return fresh;
}

/** If a list with pages does not say how many there are, the next one is requested until nothing more arrives. */
function lastPage(list: ListRead, page: Success<readonly unknown[]>, fresh: number, { sized }: PageOptions): number {
  const { meta } = page;
  const before = list.first - 1;
  if (meta !== null && meta.totalPages !== null) return before + meta.totalPages;
  if (meta !== null && meta.total !== null)
    return list.pageSize === 0 ? list.number : before + Math.ceil(meta.total / list.pageSize);
  const isPaged = sized === true || (meta !== null && (meta.page !== null || meta.take !== null));
  // The page size is unknown: only a page that is shorter than another is the last.
  return isPaged && fresh > 0 && page.data.length >= list.pageSize ? list.number + 1 : list.number;
}

function whyContradictory(list: ListRead, { data, meta }: Success<readonly unknown[]>): string | null {
  if (meta === null) return null;
  if (meta.malformed !== undefined) return meta.malformed;
  const { page, take, total, totalPages } = meta;
  const nth = list.number - list.first + 1;
  if (page !== null && page !== list.number) return `page ${list.number} was asked for and meta.page is ${page}`;
  if (total !== null && data.length > total)
    return `meta.total is ${formatCount(total)} and one page has ${formatCount(data.length)} items`;
  if (data.length === 0 && total !== null && total > (nth - 1) * list.pageSize) {
    return `meta.total is ${formatCount(total)} and page ${nth} is empty`;
  }
  if (data.length === 0 && totalPages !== null && totalPages >= nth && (total !== 0 || totalPages > 1)) {
    return `meta.totalPages is ${formatCount(totalPages)} and page ${nth} is empty`;
  }
  if (total === null || totalPages === null || nth > 1) return null;
  // A service may repeat the `take` that was asked for, although its pages are smaller.
  const likely = [take ?? 0, data.length].filter((size) => size > 0).map((size) => Math.ceil(total / size));
  const possible = total === 0 ? [0, 1] : likely;
  return possible.includes(totalPages)
    ? null
    : `meta.total is ${formatCount(total)}, meta.take is ${take === null ? "not shown" : formatCount(take)} and meta.totalPages is ${formatCount(totalPages)}`;
}

/** Null if all is there, as far as can be known. */
function whyIncomplete({ read, least, most }: ListRead): string | null {
  if (!Number.isFinite(least)) return null;
  if (least !== most) return `meta.total was ${formatCount(least)} and ${formatCount(most)} within one read`;
  return read === least
    ? null
    : `meta.total is ${formatCount(least)} and its pages have ${formatCount(read)} different items`;
}

function isCompleteRead({ read, least, most }: ListRead): boolean {
  return least === most && read === least;
}

/** A list that people write to all the time is never the same for two pages. Nothing is missing if it shows as many as it ever had. */
function onlyMoves({ contradiction, read, least, most, pageSize }: ListRead): boolean {
  return contradiction === null && least < most && read >= least && most - least <= pageSize;
}

function contradicts(path: string, why: string): Problem {
  return problemOf(
    "refused",
    "unexpected-response",
    `The list ${path} contradicts itself: ${why}.`,
    "Run the command again; if it keeps happening, report it to the service's support. An incomplete list is never used.",
    200,
  );
}

async function readPage(
  { source: { read, memory }, path, query: asked, options }: ListRequest,
  page: Query,
  again: boolean,
): Promise<Result<readonly unknown[]>> {
  const query = { ...asked, ...page };
  if (options.sized !== true || query.take !== undefined)
    return checkShape(await read(path, query, again), "GET", path, "list");
  const largest = memory.take;
  const result = await read(path, { ...query, take: largest }, again);
  if (result.ok || !mayBeAboutTake(result.problem)) return checkShape(result, "GET", path, "list");
  for (const take of takes) {
    if (take >= largest) continue;
    const smaller = await read(path, { ...query, take }, again);
    if (smaller.ok) {
      memory.take = Math.min(memory.take, take);
      return checkShape(smaller, "GET", path, "list");
    }
    if (!mayBeAboutTake(smaller.problem)) return smaller;
  }
  return result;
}

/** A 400 that names other fields is about those. */
function mayBeAboutTake(problem: Problem): boolean {
  if (problem.class !== "refused" || (problem.status !== 400 && problem.status !== 422)) return false;
  return (
    problem.details.length === 0 || problem.details.some(({ field, message }) => /take/i.test(`${field} ${message}`))
  );
}

function tooManyPages(pages: number): Problem {
  return problemOf(
    "refused",
    "unexpected-response",
    `The service says that a list has ${formatCount(pages)} pages; no more than ${formatCount(mostPages)} are read.`,
    "Check that baseUrl names the ticketing service; an incomplete list is never used.",
    200,
  );
}

/** `place`: what an item without an id is known by. */
function isFirst(item: unknown, place: string, known: Set<unknown>): boolean {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  const key = typeof id === "string" ? id : place;
  if (known.has(key)) return false;
  known.add(key);
  return true;
}
