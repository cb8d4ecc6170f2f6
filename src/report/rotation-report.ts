// How a rotation went: the value that its text and its JSON are made from. The secret itself is never in it.

export interface RotationReport {
  readonly formatVersion: 1;
  readonly url: string;
  /** The webhook that is live now with a secret that is kept; null where none was made. */
  readonly webhook: string | null;
  /** Former webhooks that are gone. */
  readonly removed: readonly string[];
  /** Whether the test event arrived; null: none was sent. */
  readonly tested: boolean | null;
  /** Where the secret is. */
  readonly secret: string | null;
  /** `waiting`: both are live, until the receiver knows the new secret. */
  readonly result: "done" | "waiting" | "failed" | "unsure";
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

/** What to say at the end, in sentences. */
export function rotationSentences(report: RotationReport): readonly string[] {
  const { url, webhook, removed, secret, tested } = report;
  if (webhook === null) return [];
  const kept = secret === null ? "" : ` Its secret is in ${secret}.`;
  if (report.result !== "done") {
    return [
      `Two webhooks are live for ${url}, so nothing is lost: the former one, and ${webhook} with the new secret.${kept}`,
    ];
  }
  const gone = removed.length === 0 ? "" : ` The former ${removed.length === 1 ? "one is" : "ones are"} removed.`;
  const checked = tested === true ? " A test event arrived." : "";
  return [`Rotated: ${url} is served by ${webhook}.${kept}${checked}${gone}`];
}
