// Has the service send a test event, and tells whether it arrived.
import type { TicketingClient } from "../service/client.ts";
import type { Problem } from "../service/problem.ts";

export type Trial =
  | { readonly outcome: "arrived"; readonly result: Readonly<Record<string, unknown>> }
  /** The service says that it did not arrive, whether in its answer or by refusing the call. */
  | { readonly outcome: "failed"; readonly why: string; readonly result: Readonly<Record<string, unknown>> | null }
  /** There is no such webhook. */
  | { readonly outcome: "gone" }
  /** The call itself did not work. */
  | { readonly outcome: "unknown"; readonly problem: Problem };

export async function tryWebhook(client: Pick<TicketingClient, "request">, id: string): Promise<Trial> {
  const answer = await client.request("POST", `/webhooks/${id}/test`);
  if (answer.ok) {
    const result =
      typeof answer.data === "object" && answer.data !== null ? (answer.data as Record<string, unknown>) : {};
    if (result.success === true) return { outcome: "arrived", result };
    return { outcome: "failed", why: whyFailed(result), result };
  }
  const { problem } = answer;
  if (problem.status === 404 || problem.status === 410) return { outcome: "gone" };
  const denied = problem.status === 401 || problem.status === 403;
  if (problem.class !== "refused" || denied) return { outcome: "unknown", problem };
  return { outcome: "failed", why: problem.message, result: null };
}

function whyFailed(result: Readonly<Record<string, unknown>>): string {
  if (result.success !== false) return "the service does not say that it arrived";
  const said = [result.error, result.message].find((text) => typeof text === "string" && text !== "");
  const status = [result.responseStatus, result.statusCode].find((each) => typeof each === "number");
  if (typeof said === "string") return said;
  return status === undefined ? "the service does not say why" : `the receiver answered ${status}`;
}
