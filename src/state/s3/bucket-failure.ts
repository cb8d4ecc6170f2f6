// Why a bucket could not be read or written, from its store's response.
import { type StoreFailure, type StoreHints, storeFailure } from "../shared/shared-files.ts";
import type { ObjectResponse } from "./bucket.ts";

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
    return storeFailure("unsafe", `The store cannot write under a condition: ${whole}.`);
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
    "Reading needs s3:GetObject on the objects and s3:ListBucket on the bucket: without the latter, a state that does not exist yet looks like one that may not be read.",
  refused:
    "Writing needs s3:GetObject, s3:PutObject and s3:DeleteObject on the objects, and s3:ListBucket on the bucket.",
  unreachable: "Check the URL and the connection, then run the command again. Nothing was sent to the service.",
  foreign:
    "Nothing was changed there. Choose another `prefix` under `state` in ticketing.yaml, or delete what is there if nothing needs it.",
  setup: "Check `bucket`, `region` and `endpoint` under `state` in ticketing.yaml.",
  unsafe:
    "Two runs could apply at once with it, so it is not used. Choose a store that honors If-None-Match and If-Match, or keep the state with `backend: git`.",
};
