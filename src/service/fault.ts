// The system's error codes, put into our own few words.
import type { OwnCode } from "./problem.ts";
import type { TransportFault } from "./transport.ts";

const byCode: Readonly<Record<string, OwnCode>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  ECONNREFUSED: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EMFILE: "unreachable",
  ENFILE: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ECONNRESET: "connection-lost",
  EPIPE: "connection-lost",
  ECONNABORTED: "connection-lost",
  UND_ERR_SOCKET: "connection-lost",
  UND_ERR_DESTROYED: "connection-lost",
  UND_ERR_CLOSED: "connection-lost",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "connection-lost",
  UND_ERR_PRX_TLS: "tls",
  UND_ERR_HEADERS_OVERFLOW: "too-large",
  UND_ERR_INVALID_ARG: "protocol",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls",
  SELF_SIGNED_CERT_IN_CHAIN: "tls",
  UNABLE_TO_GET_ISSUER_CERT: "tls",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls",
  EPROTO: "tls",
};

export function faultOf(error: unknown, sent: boolean): TransportFault {
  const found = codesOf(error, 0);
  for (const detail of found) {
    const code = wordFor(detail);
    if (code !== null) return { code, detail, sent };
  }
  if (error instanceof Error && error.name === "HTTPParserError") {
    return { code: "protocol", detail: "another protocol answers", sent };
  }
  // A tunnel that was refused has no code of its own, only this sentence.
  const refused = error instanceof Error ? /Proxy response \((\d+)\)/.exec(error.message) : null;
  if (refused !== null) return { code: "proxy", detail: `${refused[1]}`, sent: false };
  return { code: "connection-lost", detail: found[0] ?? "no answer", sent };
}

function wordFor(detail: string): OwnCode | null {
  const known = byCode[detail];
  if (known !== undefined) return known;
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|CRL_|HOSTNAME_MISMATCH)/.test(detail)) return "tls";
  if (detail.startsWith("HPE_")) return "protocol";
  return null;
}

/** Several addresses tried at once fail with one error that carries the others. */
function codesOf(error: unknown, depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 3) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const causes = "cause" in error ? codesOf(error.cause, depth + 1) : [];
  const several = error instanceof AggregateError ? error.errors.flatMap((each) => codesOf(each, depth + 1)) : [];
  return [...own, ...causes, ...several];
}
