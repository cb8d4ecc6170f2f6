// A bucket and its objects: signed calls, and what their answers mean.
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { OutsideAnswer } from "../../model/outside.ts";
import type { Outside } from "../shared/outside.ts";
import { closedStore, longestCallMs } from "../shared/shared-files.ts";
import type { BucketPlace } from "./bucket-place.ts";

export interface Bucket {
  get(key: string, options?: GetOptions): Promise<ObjectAnswer>;
  put(key: string, body: string, condition: WriteCondition): Promise<ObjectAnswer>;
  remove(key: string): Promise<ObjectAnswer>;
}

interface GetOptions {
  readonly mostMs?: number;
  /** Answered with 304 where the object still has this ETag. */
  readonly unless?: string | null;
}

/** Nothing is ever written without one. */
export type WriteCondition = { readonly ifNone: true } | { readonly ifMatch: string };

export interface ObjectAnswer {
  /** 0: no whole answer came. */
  readonly status: number;
  readonly ok: boolean;
  readonly body: string;
  readonly etag: string | null;
  /** The store's own word, such as NoSuchKey; null: none. */
  readonly code: string | null;
  /** What it says about it, in one line. */
  readonly said: string;
  /** Where the store says that the bucket is. */
  readonly region: string | null;
}

/** Nothing depends on it. */
const shortMs = 5_000;

export function openBucket(place: BucketPlace, outside: Pick<Outside, "send">, signal: AbortSignal): Bucket {
  const cache = new Map<string, ArrayBuffer>();

  async function call(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    body: string | null,
    wanted: Readonly<Record<string, string>>,
    mostMs = longestCallMs,
  ): Promise<ObjectAnswer> {
    if (signal.aborted) return readAnswer({ status: 0, headers: {}, body: closedStore });
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const { url, headers } = await new AwsV4Signer({
      method,
      url: `${place.base}${key}`,
      headers: { ...wanted, "x-amz-content-sha256": digest },
      service: "s3",
      region: place.region,
      cache,
      ...place.credentials,
    }).sign();
    const sent = Object.fromEntries(headers);
    return readAnswer(await outside.send({ method, url: url.href, headers: sent, body, mostMs, signal }));
  }

  return {
    get: (key, { mostMs, unless } = {}) =>
      call("GET", key, null, unless == null ? {} : { "if-none-match": unless }, mostMs),
    put(key, body, condition) {
      const header = "ifNone" in condition ? { "if-none-match": "*" } : { "if-match": condition.ifMatch };
      return call("PUT", key, body, { ...header, "content-type": "application/octet-stream" });
    },
    remove: (key) => call("DELETE", key, null, {}, shortMs),
  };
}

function readAnswer({ status, headers, body }: OutsideAnswer): ObjectAnswer {
  const ok = status >= 200 && status < 300;
  return {
    status,
    ok,
    body,
    etag: headers.etag ?? null,
    code: ok ? null : elementOf(body, "Code"),
    said: ok ? "" : status === 0 ? body : (elementOf(body, "Message") ?? "").slice(0, 200),
    region: headers["x-amz-bucket-region"] ?? null,
  };
}

/** The text of one element of an error's XML, which has no attributes and no nesting there. */
function elementOf(xml: string, name: string): string | null {
  const begin = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, begin);
  if (begin === -1 || end === -1) return null;
  return xml.slice(begin + name.length + 2, end).trim() || null;
}
