// A small transport over the global fetch, which msw intercepts.
import { faultOf } from "../../src/service/http/explain-problem.ts";
import type {
  ResponseHeaders,
  Transport,
  TransportCall,
  TransportFault,
  TransportOutcome,
} from "../../src/service/transport.ts";

export function fetchTransport(timeoutMs = 60_000): Transport {
  return { send: (call) => sendByFetch(call, timeoutMs), close: async () => {} };
}

async function sendByFetch(call: TransportCall, timeoutMs: number): Promise<TransportOutcome> {
  const deadline = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(call.origin + call.path, {
      method: call.method,
      headers: call.headers,
      redirect: "manual",
      signal: call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]),
      ...(call.body === null ? {} : { body: call.body }),
    });
  } catch (error) {
    return { kind: "fault", fault: ended(error) ?? unsentOrLost(error) };
  }
  const headers: ResponseHeaders = Object.fromEntries(response.headers);
  const { body, cut } = await readCapped(response, call.maxBytes);
  return { kind: "response", response: { status: response.status, headers, body, cut } };
}

async function readCapped(response: Response, maxBytes: number): Promise<{ body: string; cut: TransportFault | null }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut: TransportFault | null = null;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) {
        cut = { code: "too-large", detail: `more than ${maxBytes} bytes`, sent: true };
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    cut = ended(error) ?? faultOf(error, true);
  }
  return { body: Buffer.concat(chunks).toString("utf8"), cut };
}

/** Ended on this side: by the deadline, or because the run was stopped. */
function ended(error: unknown): TransportFault | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "TimeoutError") return { code: "timeout", detail: "no response", sent: true };
  return error.name === "AbortError" ? { code: "interrupted", detail: "stopped", sent: true } : null;
}

/** fetch does not show whether it had begun to write: only failures to connect are certain. */
function unsentOrLost(error: unknown): TransportFault {
  const fault = faultOf(error, true);
  const certain = fault.code === "dns" || fault.code === "tls" || fault.detail === "ECONNREFUSED";
  return certain ? { ...fault, sent: false } : fault;
}
