// What went wrong with a call, for people: on the way to the service, or by its own response.
import { type Advice, type ServiceCode, serviceCode } from "../../model/diagnostic.ts";
import { isObject, parseJson } from "../../model/value.ts";
import type { OwnCode, Problem, ProblemDetail } from "../problem.ts";
import { type FaultProxy, headerOf, type TransportFault, type TransportResponse } from "./transport.ts";

/** For a call that got no response, or only a part of one. `host`: of the service. */
export function explainFault(fault: TransportFault, host: string): Advice {
  const { proxy, detail } = fault;
  // Through a proxy, whatever fails before the call is sent fails there: it alone is connected to, and looks up names.
  const ofProxy = proxy === undefined || fault.sent ? undefined : explainProxyFault(fault, host, proxy);
  if (ofProxy !== undefined) return ofProxy;
  switch (fault.code) {
    case "dns":
      return {
        message: `The host name ${host} cannot be resolved (${detail}).`,
        hint: "Check the spelling of baseUrl, this machine's network and its DNS.",
      };
    case "unreachable":
      return /^E[MN]FILE$/.test(detail)
        ? {
            message: `Cannot open a connection to ${host}: too many open files (${detail}).`,
            hint: "Raise the limit with `ulimit -n 1024`, and run the command again.",
          }
        : {
            message: `The service at ${host} cannot be reached (${detail}).`,
            hint: "Is the service running there? Check the URL (TICKETING_BASE_URL if that is set, otherwise baseUrl), the network, and any firewall or proxy (HTTPS_PROXY) in between.",
          };
    case "tls":
      return explainTls(detail, host);
    case "timeout":
      return {
        message: fault.sent
          ? `The service at ${host} did not respond in time (${detail}).`
          : `Connecting to ${host} took too long (${detail}).`,
        hint: "Try again in a minute; if it keeps happening, check the network and the service's status.",
      };
    case "protocol":
      return {
        message: `The service at ${host} did not send a valid HTTP response (${detail}).`,
        hint: "Check that baseUrl names the ticketing service and the right port.",
      };
    case "interrupted":
      return { message: `The run was stopped before ${host} responded.`, hint: "Run the command again to continue." };
    case "too-large":
      return {
        message: `The service at ${host} sent a response that is too large (${detail}).`,
        hint: "No record of the service is that large. Check that baseUrl names the ticketing service.",
      };
    default:
      return {
        message: `The connection to ${host} was lost before the whole response arrived (${detail}).`,
        hint: "Run the command again.",
      };
  }
}

/** Codes about certificates; everything else failed before a certificate was shown. */
const certificate = /CERT|UNABLE_TO_|HOSTNAME_MISMATCH|^CRL_|UND_ERR_PRX_TLS/;
/** A port that responds in plain text is the usual reason: its first bytes are no record of TLS. */
const plainText = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER/;

function explainTls(detail: string, host: string): Advice {
  if (certificate.test(detail)) {
    return {
      message: `The certificate of ${host} is not trusted, so the API key was not sent (${detail}).`,
      hint: "Check baseUrl and this machine's date. Behind a company proxy, set NODE_EXTRA_CA_CERTS to the file that contains its certificate.",
    };
  }
  if (plainText.test(detail)) {
    return {
      message: `The server at ${host} does not speak TLS, so the API key was not sent (${detail}).`,
      hint: "Check the port in baseUrl: https:// needs the TLS port.",
    };
  }
  return {
    message: `No secure connection to ${host} could be set up, so the API key was not sent (${detail}).`,
    hint: "Check baseUrl, and whether a firewall or proxy in between uses an older or different protocol.",
  };
}

function explainProxyFault({ code, detail }: TransportFault, host: string, proxy: FaultProxy): Advice | undefined {
  const { place, variable } = proxy;
  const name =
    place === null ? `The proxy in ${variable}` : `The proxy ${place.scheme}://${place.host} (from ${variable})`;
  const exempt = `exempt the host with NO_PROXY=${host.replace(/:\d+$/, "")}.`;
  const hint = `Check ${variable} and that the proxy is running, or ${exempt}`;
  switch (code) {
    case "unreachable":
      return { message: `${name} cannot be reached (${detail}), so nothing was sent to ${host}.`, hint };
    case "dns":
      return { message: `${name} cannot be resolved (${detail}), so nothing was sent to ${host}.`, hint };
    case "timeout":
      return { message: `${name} did not connect to ${host} in time (${detail}).`, hint };
    case "connection-lost":
      return { message: `${name} closed the connection before it reached ${host} (${detail}).`, hint };
    case "proxy":
      return {
        message: `${name} refused to connect to ${host} (it responded with ${detail}).`,
        hint: `Check ${variable} (with user and password if it needs them), or exempt the host with NO_PROXY.`,
      };
    case "bad-proxy":
      return {
        message:
          place === null
            ? `The URL of the proxy in ${variable} cannot be read.`
            : `${name} cannot be used: only http and https proxies are supported.`,
        hint: `Set ${variable} to something like http://proxy.example.com:8080, or ${exempt}`,
      };
    default:
      return undefined;
  }
}

const systemCodes: Partial<Record<OwnCode, RegExp>> = {
  dns: /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/,
  unreachable: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EMFILE|ENFILE|EACCES|EPERM)$/,
  timeout: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/,
  "connection-lost":
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
  tls: /^(UND_ERR_PRX_TLS|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|EPROTO$|CERT_|ERR_TLS_|ERR_SSL_|CRL_|HOSTNAME_MISMATCH)/,
  "too-large": /^UND_ERR_HEADERS_OVERFLOW$/,
  protocol: /^(UND_ERR_INVALID_ARG$|HPE_)/,
};

export function faultOf(error: unknown, sent: boolean): TransportFault {
  const found = codesOf(error, 0);
  for (const detail of found) {
    const known = Object.entries(systemCodes).find(([, pattern]) => pattern.test(detail));
    if (known !== undefined) return { code: known[0] as OwnCode, detail, sent };
  }
  if (error instanceof Error && error.name === "HTTPParserError") {
    return { code: "protocol", detail: "a different protocol", sent };
  }
  // A refused tunnel has no code, only this sentence.
  const refusedTunnel = error instanceof Error ? /Proxy response \((\d+)\)/.exec(error.message) : null;
  if (refusedTunnel !== null) return { code: "proxy", detail: `${refusedTunnel[1]}`, sent };
  return { code: "connection-lost", detail: found[0] ?? "no response", sent };
}

/** Several addresses tried at once fail with one error that carries the others. */
function codesOf(error: unknown, depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 3) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const causes = "cause" in error ? codesOf(error.cause, depth + 1) : [];
  const several = error instanceof AggregateError ? error.errors.flatMap((each) => codesOf(each, depth + 1)) : [];
  return [...own, ...causes, ...several];
}

/**
 * An error response, read leniently: `hint`, `details` and even JSON may be missing. The service's own words come first;
 * ours fill the gaps.
 */
export function explainErrorResponse({ status, headers, body: sent }: TransportResponse): Omit<Problem, "class"> {
  const body = parseObject(sent);
  const error = isObject(body?.error) ? body.error : {};
  const { code, message, hint } = byStatus[status] ?? (status >= 500 ? broken(status) : refusedCall(status));
  return {
    status,
    // A gateway that fails explains itself in HTML; any other page means that this may not be the API.
    code: codeIn(error) ?? codeIn(body) ?? (body === null && status < 500 ? "not-json" : code),
    message:
      detailText(error.message) ??
      detailText(body?.error) ??
      detailText(body?.message) ??
      (body === null ? `${message} It sent no readable explanation.` : message),
    hint: detailText(error.hint) ?? detailText(body?.hint) ?? hint,
    details: readDetails(error.details ?? body?.details),
    requestId: detailText(body?.requestId) ?? detailText(error.requestId) ?? headerOf(headers, "x-request-id"),
  };
}

function parseObject(body: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseJson(body);
  return isObject(parsed) ? parsed : null;
}

function readDetails(value: unknown): readonly ProblemDetail[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 100).flatMap((each: unknown) => {
    if (typeof each === "string") return [{ field: "", message: each }];
    if (!isObject(each)) return [];
    const message = detailText(each.message);
    return message === null ? [] : [{ field: detailText(each.field) ?? detailText(each.path) ?? "", message }];
  });
}

interface CodedExplanation extends Advice {
  readonly code: ServiceCode;
}

function refusedCall(status: number): CodedExplanation {
  const message = `The service refused the call (${status}).`;
  const hint = "Correct what the service objects to.";
  return { code: serviceCode(`HTTP_${status}`), message, hint };
}

function broken(status: number): CodedExplanation {
  const message = `The service, or a gateway in front of it, failed (${status}).`;
  const hint = tryLater;
  return { code: status === 500 ? "INTERNAL_ERROR" : serviceCode(`HTTP_${status}`), message, hint };
}

export const tryLater = "Try again in a minute.";

const byStatus: Readonly<Record<number, CodedExplanation>> = {
  400: { ...refusedCall(400), code: "VALIDATION_ERROR" },
  401: {
    code: "UNAUTHORIZED",
    message: "The service does not accept the API key (401).",
    hint: "Check that the API key is complete, has not expired, and is for this service; create another in the organizer dashboard (Settings, API Keys).",
  },
  403: {
    code: "FORBIDDEN",
    message: "The API key is not allowed to do this (403).",
    hint: "Give the API key the scope it lacks (`ticketing whoami` shows its scopes), or add this machine's IP address to its allowlist.",
  },
  404: {
    code: "NOT_FOUND",
    message: "The service has nothing at this URL (404).",
    hint: "Check that the id is right, that the object belongs to your organization, and that baseUrl ends in /open-api/v1.",
  },
  408: { ...broken(408), message: "The service timed out waiting for the request (408)." },
  413: {
    ...refusedCall(413),
    message: "The request is too large for the service (413).",
    hint: "Shorten the longest text, or list fewer images.",
  },
  422: { ...refusedCall(422), code: "VALIDATION_ERROR" },
  425: broken(425),
  429: {
    code: "RATE_LIMITED",
    message: "Too many calls: the service asks to slow down (429).",
    hint: "Wait, or run again later: nothing was changed by this call.",
  },
};

/** Whatever the service calls it; in capitals, by the API specification. */
function codeIn(body: Readonly<Record<string, unknown>> | null): ServiceCode | null {
  const code = detailText(body?.code);
  return code === null ? null : serviceCode(code);
}

function detailText(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.slice(0, 2000);
  if (typeof value === "number") return String(value);
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
    ? value.join("; ").slice(0, 2000)
    : null;
}
