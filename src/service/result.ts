// What every call of the client comes back with: data, or a problem. Nothing is thrown for what a service can do.
import type { Problem } from "./problem.ts";

/** The `meta` of a paginated answer; null where the service does not say. */
export interface PageMeta {
  readonly page: number | null;
  readonly take: number | null;
  readonly total: number | null;
  readonly totalPages: number | null;
  /** What is there and cannot be a number of items or pages, in words. */
  readonly malformed?: string;
}

export interface Success<T> {
  readonly ok: true;
  readonly data: T;
  readonly meta: PageMeta | null;
  readonly status: number;
}

export interface Failure {
  readonly ok: false;
  readonly problem: Problem;
}

export type Result<T> = Success<T> | Failure;

export function failure(problem: Problem): Failure {
  return { ok: false, problem };
}
