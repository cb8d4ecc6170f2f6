// A bucket and its objects: signed calls, and what their responses mean.
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { OutsideResponse } from "../../model/outside.ts";
import { withoutEnd } from "../../model/value.ts";
import type { S3State } from "../../model/wish.ts";
import { checkAgreed, type Outside, percentEncoded } from "../shared/backend-setup.ts";
import {
  closedStore,
  longestCallMs,
  type StoreFailure,
  type StoreHints,
  type StoreResult,
  storeFailure,
} from "../shared/shared-files.ts";

// Where a bucket is, the names of our objects in it, and our identity there. Credentials come only from the environment.

export interface BucketPlace {
  /** The prefix of the keys of objects, with a slash at its end. */
  readonly base: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

export async function findBucket(
  settings: S3State,
  outside: Pick<Outside, "env" | "keepSecret" | "disagreement">,
): Promise<StoreResult<BucketPlace>> {
  const { env, keepSecret } = outside;
  const credentials = credentialsIn(env);
  if (!credentials.ok) return credentials;
  for (const secret of Object.values(credentials.value)) keepSecret(secret);
  const region = settings.region ?? (env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || undefined);
  if (region === undefined && settings.endpoint === undefined)
    return storeFailure(
      "setup",
      "No region is set for the bucket.",
      "Set `region` under `state` in ticketing.yaml, or AWS_REGION.",
    );
  if (region !== undefined && !/^[a-z0-9-]+$/i.test(region))
    return storeFailure("setup", `"${region}" is not a region.`, "Write it like eu-central-1.");
  const base = bucketUrl(settings, region ?? "us-east-1");
  // A prefix can be another project's just as the bucket can.
  const address = withoutEnd(`${base}${settings.prefix ?? ""}`, "/");
  const mismatch = `The state is at ${address}, not at the address in TICKETING_STATE_ADDRESS, so nothing was sent`;
  const unagreed = await checkAgreed(outside, { names: [address], sendsCredentials: true, mismatch });
  if (unagreed !== null) return unagreed;
  return { ok: true, value: { base, region: region ?? "us-east-1", credentials: credentials.value } };
}

function credentialsIn(env: Outside["env"]): StoreResult<BucketPlace["credentials"]> {
  const [accessKeyId, secretAccessKey, sessionToken] = names.map((name) => env[name]?.trim() ?? "");
  if (!accessKeyId || !secretAccessKey) {
    const missing = names.slice(0, 2).filter((name) => !env[name]?.trim());
    return storeFailure("setup", `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set.`, setThem);
  }
  if (!/^[\x21-\x7e]*$/.test(accessKeyId + secretAccessKey + sessionToken))
    return storeFailure("setup", "The credentials for the bucket contain a character that cannot be sent.", setThem);
  return { ok: true, value: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } };
}

const names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;
const setThem =
  "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN where they are temporary) to credentials that may read and write the bucket.";

/** The bucket is part of the host's name, or of the path if names of hosts cannot contain it. */
function bucketUrl({ bucket, endpoint, pathStyle }: S3State, region: string): string {
  const address = new URL(endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`);
  const folder = withoutEnd(address.pathname, "/");
  // A certificate covers one level of names; compatible stores at their own URL rarely have one for each bucket.
  const isInPath = pathStyle ?? (endpoint !== undefined || bucket.includes("."));
  if (isInPath) return `${address.origin}${folder}/${bucket}/`;
  return `${address.protocol}//${bucket}.${address.host}${folder}/`;
}

/** A text as one part of a key: only signs that no store and no signature treats in a special way. */
export function keySegment(text: string): string {
  const encoded = percentEncoded(text).replace(/%/g, "~");
  return /^\.+$/.test(encoded) ? encoded.replace(/\./g, "~2E") : encoded;
}

export interface Bucket {
  get(key: string, options?: GetOptions): Promise<ObjectResponse>;
  put(key: string, body: string, condition: WriteCondition): Promise<ObjectResponse>;
  remove(key: string): Promise<ObjectResponse>;
}

interface GetOptions {
  readonly mostMs?: number;
  /** The response is 304 if the object still has this ETag. */
  readonly unless?: string | null;
}

/** Nothing is ever written without one. */
export type WriteCondition = { readonly ifNone: true } | { readonly ifMatch: string };

export interface ObjectResponse {
  /** 0: there was no complete response. */
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

/** For calls that nothing depends on. */
const shortMs = 5_000;

export function openBucket(place: BucketPlace, outside: Pick<Outside, "send">, signal: AbortSignal): Bucket {
  const cache = new Map<string, ArrayBuffer>();

  async function call(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    body: string | null,
    wanted: Readonly<Record<string, string>>,
    mostMs = longestCallMs,
  ): Promise<ObjectResponse> {
    if (signal.aborted) return readBucketResponse({ status: 0, headers: {}, body: closedStore });
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
    return readBucketResponse(await outside.send({ method, url: url.href, headers: sent, body, mostMs, signal }));
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

function readBucketResponse({ status, headers, body }: OutsideResponse): ObjectResponse {
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

// Why a bucket could not be read or written, from its store's response.

/** The store found that its condition does not hold, or that another write is in flight. */
export function isConflict({ status }: ObjectResponse): boolean {
  return status === 412 || status === 409;
}

/** There is a bucket, and no such object in it. Any other 404 says nothing about the object. */
export function isMissing({ status, code }: ObjectResponse): boolean {
  return status === 404 && code === "NoSuchKey";
}

export function bucketFailure(response: ObjectResponse): StoreFailure {
  const { status, code, said, region } = response;
  if (status === 0) return storeFailure("unreachable", said);
  const word = [code, said].filter(Boolean).join(": ");
  const whole = `it responded with ${status}${word === "" ? "" : ` (${word})`}`;
  if (code === "RequestTimeTooSkewed")
    return storeFailure(
      "setup",
      "The store refuses calls from this machine, because its clock differs too much from the store's.",
      "Set the clock of this machine (`timedatectl set-ntp true` on most Linux systems), then run the command again.",
    );
  if (code === "NoSuchBucket")
    return storeFailure(
      "setup",
      "There is no such bucket.",
      "Create it, or correct `bucket` under `state` in ticketing.yaml.",
    );
  if (code === "NotImplemented" || status === 501)
    return storeFailure("unsafe", `The store does not support conditional writes: ${whole}.`);
  if ((status >= 300 && status < 400) || code === "AuthorizationHeaderMalformed" || code === "IncorrectEndpoint")
    return storeFailure(
      "setup",
      region === null
        ? `The bucket is at a different URL: ${whole}. Redirects are not followed.`
        : `The bucket is in the region ${region}.`,
      region === null
        ? "Set `region` or `endpoint` under `state` in ticketing.yaml to those of the bucket."
        : `Set \`region: ${region}\` under \`state\` in ticketing.yaml.`,
    );
  if (status === 404)
    return storeFailure(
      "setup",
      `There is no bucket at that URL: ${whole}.`,
      "Check `endpoint`, `bucket` and `pathStyle` under `state` in ticketing.yaml.",
    );
  if (status === 408 || status === 409 || status === 429 || status >= 500) return storeFailure("unreachable", whole);
  const keys = badKeys[code ?? ""];
  return keys === undefined ? storeFailure("refused", whole) : storeFailure("refused", keys, checkKeys);
}

const badKeys: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "The store does not know the key in AWS_ACCESS_KEY_ID.",
  SignatureDoesNotMatch: "The secret in AWS_SECRET_ACCESS_KEY does not belong to the key in AWS_ACCESS_KEY_ID.",
  ExpiredToken: "The credentials have expired.",
  InvalidToken: "The store does not accept the token in AWS_SESSION_TOKEN.",
};
const checkKeys =
  "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where they are temporary, AWS_SESSION_TOKEN to credentials that are valid now.";

export const bucketHints: StoreHints = {
  unreadable:
    "Reading needs s3:GetObject on the objects and s3:ListBucket on the bucket: without the latter, a state that does not exist yet looks like one that you have no right to read.",
  refused:
    "Writing needs s3:GetObject, s3:PutObject and s3:DeleteObject on the objects, and s3:ListBucket on the bucket.",
  unreachable: "Check the URL and the connection, then run the command again. Nothing was sent to the service.",
  foreign:
    "Nothing was changed there. Choose another `prefix` under `state` in ticketing.yaml, or delete what is there if nothing needs it.",
  setup: "Check `bucket`, `region` and `endpoint` under `state` in ticketing.yaml.",
  unsafe:
    "With this store, two runs could apply at once, so it is not used. Choose a store that honors If-None-Match and If-Match, or keep the state with `backend: git`.",
};
