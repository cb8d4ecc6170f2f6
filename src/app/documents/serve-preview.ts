// ticketing preview: serves the pages of a project to the browser of this machine, and draws them again as files and time change.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { parseUrl } from "../../model/value.ts";
import { pagePolicy, renderPreviewEvent, renderPreviewIndex, renderPreviewProblem } from "../../report/plan.ts";
import { safeLine } from "../../report/text.ts";
import { changedFiles, nextScan, scanFiles, signalAt } from "../session/watch-files.ts";
import type { World } from "../world.ts";
import { openPreview, type PreviewOptions, type ProjectPreview } from "./preview-project.ts";

interface ServeRequest extends PreviewOptions {
  /** 0: any free port; left out: the usual one, or any if that is in use. */
  readonly port?: number;
}

interface PreviewShow {
  /** `taken`: the usual port, if it was in use by another program. */
  readonly started: (url: string, preview: ProjectPreview, taken: number | null) => void;
  /** `files` is empty if only a date was reached, which brought these phases. Returns the words for open pages. */
  readonly changed: (files: readonly string[], phases: readonly string[], preview: ProjectPreview) => string;
  readonly crashed: (problem: unknown) => void;
}

const usualPort = 4020;
/** One person's editor saves one file: it need not be quiet for as long as after `git switch`. */
const quietMs = 30;

/** Runs until it is stopped. Returns what kept it from starting. */
export async function servePreview(
  world: World,
  request: ServeRequest,
  show: PreviewShow,
): Promise<readonly Diagnostic[]> {
  const { directory, port } = request;
  // Scanned before the files are read, so that a change during the reading is noticed.
  let scanned = await scanFiles(directory);
  const opened = await openPreview(world, request);
  if (!opened.ok) return opened.diagnostics;
  const { preview } = opened;
  const usual = port === undefined ? await openServer(preview, usualPort, show.crashed) : null;
  const served = usual?.ok === true ? usual : await openServer(preview, port ?? 0, show.crashed);
  if (!served.ok) return served.diagnostics;
  const { server } = served;
  show.started(server.url, preview, usual?.ok === false ? usualPort : null);
  while (!world.interrupted.aborted) {
    const due = signalAt(world, preview.nextChange());
    const now = await nextScan(directory, scanned, AbortSignal.any([world.interrupted, due]), quietMs);
    const changed = changedFiles(scanned, now);
    scanned = now;
    if (world.interrupted.aborted || (changed.length === 0 && !due.aborted)) continue;
    // If only time has passed, the pages usually stay the same.
    const before = changed.length === 0 ? await shownNow(preview) : null;
    const phases = await preview.reload(changed);
    if (before === null || before !== (await shownNow(preview)))
      server.announce(show.changed(changed, phases, preview));
  }
  await server.close();
  return [];
}

/** All that a page shows of the present, except the time. */
async function shownNow(preview: ProjectPreview): Promise<string> {
  const read = await preview.viewAt("now");
  return JSON.stringify(read.ok ? { ...read.view, asOf: null, instant: null } : read.diagnostics);
}

// The pages over HTTP, only for the browser of this machine. It only reads, and serves no file.

interface PreviewServer {
  readonly url: string;
  /** Open pages reload; the words are for people who do not see that. */
  announce(words: string): void;
  close(): Promise<void>;
}

/** `port` 0: any free one. */
async function openServer(
  preview: ProjectPreview,
  port: number,
  onProblem: (problem: unknown) => void,
): Promise<Fallible<{ readonly server: PreviewServer }>> {
  const listeners = new Set<ServerResponse>();
  let round = 0;
  let lastWords = "";
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((problem: unknown) => {
      onProblem(problem);
      if (outgoing.headersSent) outgoing.destroy();
      else sendPage(outgoing, incoming, plainPage(500, "This page cannot be drawn; the terminal says why."));
    });
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const refusal = refusalOf(incoming);
    if (refusal !== null) return sendPage(outgoing, incoming, refusal);
    const url = parseUrl(`http://127.0.0.1${incoming.url ?? "/"}`);
    if (url === null) return sendPage(outgoing, incoming, plainPage(400, "There is no page at this URL."));
    const { pathname, searchParams } = url;
    if (pathname === "/changes") return listen(incoming, outgoing, Number(searchParams.get("since") ?? round));
    sendPage(outgoing, incoming, await pageAt(preview, pathname, searchParams.get("at"), round));
  }

  /** `since`: how many changes the page knows. One may have come after it was drawn and before it could listen. */
  function listen(incoming: IncomingMessage, outgoing: ServerResponse, since: number): void {
    outgoing.writeHead(200, { ...always, "Content-Type": "text/event-stream" });
    if (incoming.method === "HEAD") return void outgoing.end();
    // A browser keeps a few open, and each of them costs memory.
    const [oldest] = listeners;
    if (listeners.size >= mostListeners) oldest?.destroy();
    outgoing.write(since < round ? changeMessage(lastWords) : ": redrawn as files change\n\n");
    listeners.add(outgoing);
    outgoing.on("close", () => listeners.delete(outgoing));
  }

  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw problem;
    const why = code === "EADDRINUSE" ? "is in use by another program" : "is forbidden to this user";
    const hint = "Choose another with --port N, or let the system choose one with --port 0.";
    return failed(errorOf("port-in-use", `Port ${port} on 127.0.0.1 ${why}.`, hint));
  }
  return {
    ok: true,
    server: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      announce(words) {
        round += 1;
        lastWords = words;
        for (const listener of listeners) {
          // A page that has not received the last message yet would get this one too late.
          if (listener.writableLength > 0) listener.destroy();
          else listener.write(changeMessage(words));
        }
      },
      async close() {
        const closed = once(server, "close");
        server.close();
        server.closeAllConnections();
        await closed;
      },
    },
  };
}

const mostListeners = 32;

function changeMessage(words: string): string {
  return `event: change\ndata: ${safeLine(words)}\n\n`;
}

/**
 * Another site may not read the preview, nor make the browser request it: not under its own name for this machine (Host), and not
 * from its own page (Origin, Sec-Fetch-Site).
 */
function refusalOf({ method, headers, socket }: IncomingMessage): Served | null {
  const { host, origin } = headers;
  const names = ["127.0.0.1", "localhost"];
  const own = [...names.map((name) => `${name}:${socket.localPort}`), ...(socket.localPort === 80 ? names : [])];
  if (host === undefined || !own.includes(host)) return plainPage(421, `Open http://${own[0]}/ instead.`);
  if (origin !== undefined && origin !== `http://${host}`) return plainPage(403, "Cross-origin requests are refused.");
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return plainPage(403, "The preview does not open from another site: type its URL.");
  return method === "GET" || method === "HEAD" ? null : plainPage(405, "The preview can only be read.");
}

interface Served {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const always: OutgoingHttpHeaders = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

function plainPage(status: number, text: string): Served {
  const headers = { "Content-Type": "text/plain; charset=utf-8", ...(status === 405 ? { Allow: "GET, HEAD" } : {}) };
  return { status, headers, body: `${safeLine(text)}\n` };
}

async function pageAt(preview: ProjectPreview, path: string, at: string | null, round: number): Promise<Served> {
  const shown = await preview.viewAt(at);
  if (!shown.ok) return plainPage(400, shown.diagnostics.map(({ message, hint }) => `${message} ${hint}`).join(" "));
  const nonce = randomBytes(16).toString("base64");
  const { view } = shown;
  const copy = { nonce, round };
  const page = path === "/" ? renderPreviewIndex(view, copy) : renderPreviewEvent(view, addressOf(path), copy);
  const headers = (own: string | null) => ({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `${pagePolicy(own)}; frame-ancestors 'none'`,
  });
  if (page !== null) return { status: 200, headers: headers(nonce), body: page };
  return { status: 404, headers: headers(null), body: renderPreviewProblem("There is no event at this URL.") };
}

/** Empty where the path cannot be decoded. */
function addressOf(path: string): string {
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    return "";
  }
}

function sendPage(outgoing: ServerResponse, { method }: IncomingMessage, { status, headers, body }: Served): void {
  outgoing.writeHead(status, { ...always, ...headers, "Content-Length": Buffer.byteLength(body) });
  outgoing.end(method === "HEAD" ? undefined : body);
}
