// What happened on the way to the service, said so that a promoter knows what to try.
import type { OwnCode, Problem, ProblemClass } from "../problem.ts";
import type { FaultProxy, Method, TransportFault } from "./transport.ts";

interface Words {
  readonly message: string;
  readonly hint: string;
}

/** For a call that got no answer, or only a part of one. */
export function problemOfFault(fault: TransportFault, method: Method, origin: string, status: number | null): Problem {
  const words = wordsFor(fault, origin);
  return { class: classOf(fault, method), status, code: fault.code, ...words, details: [], requestId: null };
}

function classOf(fault: TransportFault, method: Method): ProblemClass {
  if (!fault.sent || fault.code === "interrupted") return "not-sent";
  return method === "GET" && fault.code === "too-large" ? "refused" : "ambiguous";
}

function wordsFor(fault: TransportFault, origin: string): Words {
  const { host } = new URL(origin);
  const { proxy } = fault;
  // Through a proxy, whatever fails before the call is sent fails there: it alone is connected to, and looks up names.
  if (proxy !== undefined && !fault.sent) {
    const known = proxyWords[fault.code];
    if (known !== undefined) return known(host, fault, proxy);
  }
  const known = words[fault.code];
  return known === undefined ? lost(host, fault) : known(host, fault);
}

function lost(host: string, fault: TransportFault): Words {
  return {
    message: `The connection to ${host} broke before the whole answer was here (${fault.detail}).`,
    hint: "Run the command again: it looks first and does only what is still missing.",
  };
}

const words: Partial<Record<OwnCode, (host: string, fault: TransportFault) => Words>> = {
  dns: (host, fault) => ({
    message: `No server is known by the name ${host} (${fault.detail}).`,
    hint: "Check the spelling of baseUrl, and that this machine has a working network and name service.",
  }),
  unreachable: (host, fault) =>
    /^E[MN]FILE$/.test(fault.detail)
      ? tooManyFiles(host, fault)
      : {
          message: `The service at ${host} cannot be reached (${fault.detail}).`,
          hint: "Check baseUrl, the network, and whether a firewall or a proxy (HTTPS_PROXY) stands between.",
        },
  tls: (host, fault) => (certificate.test(fault.detail) ? untrusted(host, fault) : unprotected(host, fault)),
  timeout: (host, fault) => ({
    message: fault.sent
      ? `The service at ${host} did not answer in time (${fault.detail}).`
      : `The service at ${host} could not be connected to in time (${fault.detail}).`,
    hint: "Try again in a minute; if it stays so, check the network and the state of the service.",
  }),
  protocol: (host, fault) => ({
    message: `What came from ${host} is not a valid HTTP answer (${fault.detail}).`,
    hint: "Check that baseUrl names the ticketing service and its right port.",
  }),
  interrupted: (host) => ({
    message: `The run was stopped before ${host} had answered.`,
    hint: "Run the command again to go on.",
  }),
  "too-large": (host, fault) => ({
    message: `The service at ${host} sent an answer that is too large (${fault.detail}).`,
    hint: "No record of the service is that large. Check that baseUrl names the ticketing service.",
  }),
};

function tooManyFiles(host: string, { detail }: TransportFault): Words {
  return {
    message: `No connection to ${host} could be opened: this machine lets the program open no more files (${detail}).`,
    hint: "Raise the limit with `ulimit -n 1024`, and run the command again.",
  };
}

/** What is said about certificates; everything else went wrong before any was shown. */
const certificate = /CERT|UNABLE_TO_|HOSTNAME_MISMATCH|^CRL_|UND_ERR_PRX_TLS/;

function untrusted(host: string, fault: TransportFault): Words {
  return {
    message: `The certificate of ${host} cannot be trusted, so the key was not sent (${fault.detail}).`,
    hint: "Check baseUrl and this machine's date. Behind a company proxy, give its certificate with NODE_EXTRA_CA_CERTS.",
  };
}

/** A port that answers in plain text is the usual reason: its first bytes are no record of TLS. */
function unprotected(host: string, fault: TransportFault): Words {
  const plain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER/.test(fault.detail);
  return {
    message: plain
      ? `What answers at ${host} does not speak TLS, so the key was not sent (${fault.detail}).`
      : `No protected connection to ${host} could be agreed on, so the key was not sent (${fault.detail}).`,
    hint: plain
      ? "Check the port in baseUrl: https:// needs the one that speaks TLS."
      : "Check baseUrl, and whether a firewall or proxy stands between that speaks an older or another protocol.",
  };
}

const proxyWords: Partial<Record<OwnCode, (host: string, fault: TransportFault, proxy: FaultProxy) => Words>> = {
  unreachable: (host, fault, proxy) => ({
    message: `${proxyName(proxy)} cannot be reached (${fault.detail}), so nothing was sent to ${host}.`,
    hint: proxyHint(host, proxy),
  }),
  dns: (host, fault, proxy) => ({
    message: `${proxyName(proxy)} is not known by that name (${fault.detail}), so nothing was sent to ${host}.`,
    hint: proxyHint(host, proxy),
  }),
  timeout: (host, fault, proxy) => ({
    message: `${proxyName(proxy)} did not connect to ${host} in time (${fault.detail}).`,
    hint: proxyHint(host, proxy),
  }),
  "connection-lost": (host, fault, proxy) => ({
    message: `${proxyName(proxy)} broke off before it had connected to ${host} (${fault.detail}).`,
    hint: proxyHint(host, proxy),
  }),
  proxy: (host, fault, proxy) => ({
    message: `${proxyName(proxy)} refused to connect to ${host} (it answered ${fault.detail}).`,
    hint: `Check ${proxy.variable} (with its user and password, where it wants them), or exempt the host with NO_PROXY.`,
  }),
  "bad-proxy": (host, _fault, proxy) => ({
    message:
      proxy.place === null
        ? `The address of the proxy in ${proxy.variable} cannot be read.`
        : `${proxyName(proxy)} cannot be used: it is spoken to in ${proxy.place.scheme}, and only http and https proxies are supported.`,
    hint: `Write ${proxy.variable} like http://proxy.example.com:8080, or exempt the host with NO_PROXY=${hostnameOf(host)}.`,
  }),
};

function proxyName({ place, variable }: FaultProxy): string {
  return place === null ? `The proxy in ${variable}` : `The proxy ${place.scheme}://${place.host} (from ${variable})`;
}

function proxyHint(host: string, { variable }: FaultProxy): string {
  return `Check ${variable} and that the proxy runs, or exempt the host with NO_PROXY=${hostnameOf(host)}.`;
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}

// The system's error codes, put into our own few words.

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
