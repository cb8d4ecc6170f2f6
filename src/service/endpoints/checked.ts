// Lenient on fields, strict on ids: a record whose id is not a UUID must not find its way into a path.

import type { Method } from "../http/transport.ts";
import { failure, type Problem, problemOf, type Result } from "../problem.ts";
import type { LiveRecord } from "../records.ts";

// Ids come from the service and go into paths: only this form may.

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && form.test(value);
}

/** For a read of one record: it must be there. */
export function oneRecord<T extends LiveRecord>(result: Result<unknown>): Result<T> {
  if (!result.ok) return result;
  return isRecord(result.data)
    ? (result as Result<T>)
    : failure(unexpected("GET", "a record with an id", result.status));
}

/** For the answer to a write, which may show the record, a part of it or nothing. */
export function echoedRecord<T>(method: Method, result: Result<unknown>): Result<T | null> {
  if (!result.ok) return result;
  const { data } = result;
  if (data === null) return result as Result<null>;
  const shown = typeof data === "object" && !Array.isArray(data);
  const strange = !shown || ("id" in data && !isUuid(data.id));
  return strange ? failure(unexpected(method, "the record it made or changed", result.status)) : (result as Result<T>);
}

/** For an answer whose `id`, where it has one, is nothing of ours. */
export function echoedThing<T>(method: Method, result: Result<unknown>): Result<T | null> {
  if (!result.ok) return result;
  const shown = typeof result.data === "object" && !Array.isArray(result.data);
  return shown ? (result as Result<T | null>) : failure(unexpected(method, "how it went", result.status));
}

export function manyRecords<T extends LiveRecord>(result: Result<unknown>): Result<readonly T[]> {
  if (!result.ok) return result;
  const good = Array.isArray(result.data) && result.data.every(isRecord);
  return good
    ? (result as Result<readonly T[]>)
    : failure(unexpected("GET", "a list of records with ids", result.status));
}

export function manyThings<T>(result: Result<unknown>): Result<readonly T[]> {
  if (!result.ok) return result;
  return Array.isArray(result.data)
    ? (result as Result<readonly T[]>)
    : failure(unexpected("GET", "a list", result.status));
}

export function isRecord(value: unknown): value is LiveRecord {
  return typeof value === "object" && value !== null && "id" in value && isUuid(value.id);
}

export function unexpected(method: Method, wanted: string, status: number): Problem {
  return problemOf(
    method === "GET" ? "refused" : "ambiguous",
    "unexpected-answer",
    `The service answered ${status}, but its answer does not show ${wanted}.`,
    "Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1).",
    status,
  );
}

/** The first of the given ids that cannot stand in a path, as a problem. */
export function badId(...ids: readonly string[]): Problem | null {
  if (ids.every(isUuid)) return null;
  return problemOf(
    "not-sent",
    "bad-id",
    "The id of the call is not a UUID.",
    "Copy the id as the service shows it, like 3f0c9a52-1111-4222-8333-444455556666.",
  );
}
