// Lists, page by page, by what `meta` says. Where the largest page is not known, large ones are asked for first.
import { unexpected } from "./checked.ts";
import type { Query } from "./path.ts";
import type { Problem } from "./problem.ts";
import { failure, type PageMeta, type Result } from "./result.ts";

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

/** Every page in turn; the last value is a failure where a page could not be read. */
export async function* readPages(
  read: Read,
  memory: TakeMemory,
  path: string,
  query: Query,
  options: PageOptions,
): AsyncGenerator<Result<readonly unknown[]>, void, undefined> {
  const seen = new Set<unknown>();
  let last = 1;
  for (let page = 1; page <= last && page <= mostPages; page++) {
    const result = await readPage(read, memory, path, page === 1 ? query : { ...query, page }, options);
    if (!result.ok) {
      yield result;
      return;
    }
    const fresh = result.data.filter((item) => isFirstSight(item, seen));
    last = result.data.length === 0 ? page : pagesOf(result.meta);
    yield { ...result, data: fresh };
  }
}

/** All items of all pages. `meta` is that of the first page. */
export async function readAll(
  read: Read,
  memory: TakeMemory,
  path: string,
  query: Query,
  options: PageOptions,
): Promise<Result<readonly unknown[]>> {
  const first = await readPage(read, memory, path, query, options);
  if (!first.ok) return first;
  const seen = new Set<unknown>();
  const items = first.data.filter((item) => isFirstSight(item, seen));
  let known = 1;
  let last = first.data.length === 0 ? 1 : pagesOf(first.meta);
  const total = first.meta?.total ?? 0;
  let shifted = false;
  // A list that shrinks or grows while it is read shifts its items between pages: then one more look from the start.
  for (let round = 1; ; round++) {
    while (known < last && known < mostPages) {
      const upTo = Math.min(last, mostPages);
      const numbers = Array.from({ length: upTo - known }, (_, index) => known + 1 + index);
      const pages = await Promise.all(numbers.map((page) => readPage(read, memory, path, { ...query, page }, options)));
      known = upTo;
      for (const page of pages) {
        if (!page.ok) return page;
        items.push(...page.data.filter((item) => isFirstSight(item, seen)));
        last = Math.max(last, pagesOf(page.meta));
        shifted ||= (page.meta?.total ?? total) !== total;
      }
    }
    if (round === 2 || last <= 1 || (!shifted && items.length >= total)) return { ...first, data: items };
    known = 0;
  }
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

function asList(result: Result<unknown>): Result<readonly unknown[]> {
  if (!result.ok) return result;
  if (Array.isArray(result.data)) return { ...result, data: result.data };
  return failure(unexpected("GET", "a list", result.status));
}

function pagesOf(meta: PageMeta | null): number {
  if (meta === null) return 1;
  if (meta.totalPages !== null) return meta.totalPages;
  return meta.total !== null && meta.take !== null && meta.take > 0 ? Math.ceil(meta.total / meta.take) : 1;
}

function isFirstSight(item: unknown, seen: Set<unknown>): boolean {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  if (typeof id !== "string") return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}
