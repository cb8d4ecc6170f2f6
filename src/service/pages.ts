// Lists, page by page, by what `meta` says. Where the largest page is not known, large ones are asked for first.
import { unexpected } from "./checked.ts";
import type { Query } from "./path.ts";
import { type Problem, problemOf } from "./problem.ts";
import { failure, type PageMeta, type Result, type Success } from "./result.ts";

export type Read = (path: string, query: Query) => Promise<Result<unknown>>;

export interface PageOptions {
  /** True where `take` may be sent; lists that do not document it are asked without. */
  readonly sized?: boolean;
}

/** What was learned about `take`, for the whole run. */
export interface TakeMemory {
  take: number;
}

const takes: readonly number[] = [100, 50, 25, 10];
const mostPages = 10_000;
/** Pages asked for at once, so that a wrong number of pages costs no more than that. */
const groupSize = 50;

/** Every page in turn; the last value is a failure where a page could not be read, or where items did not come. */
export async function* readPages(
  read: Read,
  memory: TakeMemory,
  path: string,
  query: Query,
  options: PageOptions,
): AsyncGenerator<Result<readonly unknown[]>, void, undefined> {
  const sum = startSum();
  for (let page = 1; ; page++) {
    const result = await readPage(read, memory, path, page === 1 ? query : { ...query, page }, options);
    if (!result.ok) {
      yield result;
      return;
    }
    const fresh = addPage(sum, result);
    yield { ...result, data: fresh };
    const last = result.data.length === 0 ? page : lastPage(page, result, fresh, sum, options);
    if (page >= last) break;
    if (page === mostPages) {
      yield failure(tooMany(last));
      return;
    }
  }
  const short = whyShort(sum);
  if (short !== null) yield failure(short);
}

/** All items of all pages, or a failure: a part of a list is never taken for the whole. `meta` is that of the first page. */
export async function readAll(
  read: Read,
  memory: TakeMemory,
  path: string,
  query: Query,
  options: PageOptions,
): Promise<Result<readonly unknown[]>> {
  const first = await readPage(read, memory, path, query, options);
  if (!first.ok) return first;
  const sum = startSum();
  const items = [...addPage(sum, first)];
  let known = 1;
  let last = first.data.length === 0 ? 1 : lastPage(1, first, items, sum, options);
  // A list that shrinks or grows while it is read shifts its items between pages: then one more look from the start.
  for (let round = 1; ; round++) {
    while (known < Math.min(last, mostPages)) {
      const upTo = Math.min(last, mostPages, known + groupSize);
      const numbers = Array.from({ length: upTo - known }, (_, index) => known + 1 + index);
      const pages = await Promise.all(numbers.map((page) => readPage(read, memory, path, { ...query, page }, options)));
      known = upTo;
      for (const [index, page] of pages.entries()) {
        if (!page.ok) return page;
        const fresh = addPage(sum, page);
        items.push(...fresh);
        // Behind an empty page there is nothing, whatever meta says.
        if (page.data.length === 0) {
          last = known - pages.length + index + 1;
          break;
        }
        last = Math.max(last, lastPage(known - pages.length + index + 1, page, fresh, sum, options));
      }
    }
    if (last > mostPages) return failure(tooMany(last));
    const short = whyShort(sum);
    if (round === 2 || (short === null && (last <= 1 || sum.least === sum.most || sum.most < 0))) {
      return short === null ? { ...first, data: items } : failure(short);
    }
    known = 0;
  }
}

/** No page is smaller by itself: a shorter one is the last. */
const smallestPage = 10;

/** How many pages there are at least, where a first page of so many items says nothing about them. */
export function lastUnsaid(items: number): number {
  return items >= smallestPage ? 2 : 1;
}

/** Where a list that has pages says nothing of them, the next one is asked for until nothing more comes. */
function lastPage(
  number: number,
  page: Success<readonly unknown[]>,
  fresh: readonly unknown[],
  sum: Sum,
  { sized }: PageOptions,
): number {
  if (page.meta !== null || sized !== true) return pagesOf(page.meta, sum.pageSize);
  const isFull = page.data.length >= Math.max(smallestPage, sum.pageSize);
  return isFull && fresh.length > 0 ? number + 1 : number;
}

/** What was read of a list so far, against what the service says of it. */
interface Sum {
  readonly seen: Set<unknown>;
  read: number;
  /** How many items the service says there are: the fewest and the most it has said. */
  least: number;
  most: number;
  /** Items of the fullest page. */
  pageSize: number;
}

function startSum(): Sum {
  return { seen: new Set(), read: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY, pageSize: 0 };
}

/** The items of the page that were not seen before. */
function addPage(sum: Sum, page: Success<readonly unknown[]>): readonly unknown[] {
  const fresh = page.data.filter((item) => isFirstSight(item, sum.seen));
  sum.read += fresh.length;
  sum.pageSize = Math.max(sum.pageSize, page.data.length);
  const total = page.meta?.total ?? null;
  if (total !== null) {
    sum.least = Math.min(sum.least, total);
    sum.most = Math.max(sum.most, total);
  }
  return fresh;
}

/** Null where all is there, as far as can be told. An empty list is believed, whatever number stands beside it. */
function whyShort({ read, least, most, pageSize }: Sum): Problem | null {
  if (read === 0 || !Number.isFinite(least)) return null;
  // While a list moves, its number is only nearly right.
  const drift = least === most ? 0 : pageSize;
  if (least - read <= drift) return null;
  return problemOf(
    "refused",
    "unexpected-answer",
    `The service says that a list has ${least} items, but shows only ${read} of them.`,
    "Run the command again; if it stays so, tell the service's support. A part of a list is not taken for the whole.",
    200,
  );
}

export async function readPage(
  read: Read,
  memory: TakeMemory,
  path: string,
  query: Query,
  options: PageOptions,
): Promise<Result<readonly unknown[]>> {
  if (options.sized !== true || query.take !== undefined) return asList(await read(path, query));
  const asked = memory.take;
  const result = await read(path, { ...query, take: asked });
  if (result.ok || !mayBeAboutTake(result.problem)) return asList(result);
  for (const take of takes) {
    if (take >= asked) continue;
    const smaller = await read(path, { ...query, take });
    if (smaller.ok) {
      memory.take = Math.min(memory.take, take);
      return asList(smaller);
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

function tooMany(pages: number): Problem {
  return problemOf(
    "refused",
    "unexpected-answer",
    `The service says that a list has ${pages} pages; no more than ${mostPages} are read.`,
    "Check that baseUrl names the ticketing service; a part of a list is not taken for the whole.",
    200,
  );
}

function asList(result: Result<unknown>): Result<readonly unknown[]> {
  if (!result.ok) return result;
  if (Array.isArray(result.data)) return { ...result, data: result.data };
  return failure(unexpected("GET", "a list", result.status));
}

export function pagesOf(meta: PageMeta | null, pageSize: number): number {
  if (meta === null) return 1;
  if (meta.totalPages !== null) return meta.totalPages;
  const take = meta.take ?? pageSize;
  return meta.total !== null && take > 0 ? Math.ceil(meta.total / take) : 1;
}

function isFirstSight(item: unknown, seen: Set<unknown>): boolean {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  if (typeof id !== "string") return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}
