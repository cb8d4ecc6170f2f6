// What happened on the way to the service, said so that a promoter knows what to try.
import type { OwnCode, Problem, ProblemClass } from "./problem.ts";
import type { Method, TransportFault } from "./transport.ts";

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
  if (!fault.sent) return "not-sent";
  return method === "GET" && fault.code === "too-large" ? "refused" : "ambiguous";
}

function wordsFor(fault: TransportFault, origin: string): Words {
  const host = new URL(origin).host;
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
  unreachable: (host, fault) => ({
    message: `The service at ${host} cannot be reached (${fault.detail}).`,
    hint: "Check baseUrl, the network, and whether a firewall or a proxy (HTTPS_PROXY) stands between.",
  }),
  tls: (host, fault) => ({
    message: `The certificate of ${host} cannot be trusted, so the key was not sent (${fault.detail}).`,
    hint: "Check baseUrl and this machine's date. Behind a company proxy, give its certificate with NODE_EXTRA_CA_CERTS.",
  }),
  proxy: (host, fault) => ({
    message: `The proxy refused to connect to ${host} (it answered ${fault.detail}).`,
    hint: "Check HTTPS_PROXY (with its user and password, where it wants them), or exempt the host with NO_PROXY.",
  }),
  "bad-proxy": () => ({
    message: "The address of the proxy in the environment cannot be used.",
    hint: "Write HTTPS_PROXY like http://proxy.example.com:8080.",
  }),
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
  "too-large": (host, fault) => ({
    message: `The service at ${host} sent an answer that is too large (${fault.detail}).`,
    hint: "No record of the service is that large. Check that baseUrl names the ticketing service.",
  }),
};
