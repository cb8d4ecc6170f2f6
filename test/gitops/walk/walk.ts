// One walk: a history of pull requests, merges, runs and accidents, with what must hold after every run and at the end.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { ApplyReport, Plan } from "../../../src/model/plan.ts";
import { type FileEdits, type Job, type JobRan, type Loop, openLoop } from "../hosted-loop.ts";
import { edited, type FileEdit, type Files, firstFiles, moments, type Raw } from "./season.ts";
import { type Difference, differencesOf, type LiveRows, wishedBy } from "./wished.ts";

/** `request`, `event` and the like choose among those that are there. */
export type Step =
  | { readonly do: "open"; readonly edits: readonly FileEdit[] }
  | { readonly do: "push"; readonly request: number; readonly edit: FileEdit }
  | { readonly do: "update"; readonly request: number; readonly favor: "ours" | "theirs" }
  | { readonly do: "plan"; readonly request: number }
  | { readonly do: "merge"; readonly request: number; readonly planned: boolean }
  | { readonly do: "revert" | "pick"; readonly request: number }
  | { readonly do: "commit"; readonly edit: FileEdit }
  | { readonly do: "apply"; readonly how: ApplyKind; readonly at: number }
  | { readonly do: "sell"; readonly ticket: number; readonly count: number }
  | { readonly do: "refund" }
  | { readonly do: "hand"; readonly event: number; readonly value: number }
  | { readonly do: "pass" };

/** As a whole; or what happens at the write of that number; or a run of an older commit; or two at once. */
export const applyKinds = [
  "whole",
  "killed",
  "killed-after",
  "interrupted",
  "lost",
  "refused",
  "older",
  "twice",
] as const;
type ApplyKind = (typeof applyKinds)[number];

const settings = `allow: [delete-event, delete-ticket-on-sale, delete-webhook]
secrets: { sink: command, command: [sh, -c, "cat > /dev/null"] }
`;

/** Takes the steps and settles everything. Throws where something does not hold, with what was done until then. */
export async function takeWalk(steps: readonly Step[]): Promise<void> {
  const loop = await openLoop("github", settings);
  const log: string[] = [];
  try {
    const walk = openWalk(loop, log);
    await walk.begin();
    for (const step of steps) await walk.take(step);
    await walk.settle();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\n\nHistory:\n${log.map((line) => `  ${line}`).join("\n")}`, { cause: error });
  } finally {
    await loop.close();
  }
}

interface Request {
  readonly number: number;
  merged: string | null;
  /** What its newest plan lists, what that plan would send, and after how many other happenings it was made. */
  plan: { readonly lists: ReadonlySet<string>; readonly sends: string; readonly at: number } | null;
}

function openWalk(loop: Loop, log: string[]) {
  const { sandbox, clock } = loop;
  const requests: Request[] = [];
  const commits: string[] = [];
  /** What people changed by hand, by the id of the object and its field: the value that it had before. */
  const byHand = new Map<string, unknown>();
  const sold = new Set<string>();
  /** Everything that may change what a plan says. */
  let happenings = 0;
  /** What a plan has promised that was merged right after it was made, as long as nothing else has happened. */
  let promised: { readonly sends: string; readonly at: number } | null = null;
  /** Merged since the last run that ended clean; what was not merged by a pull request needs no review. */
  let waiting: Request[] = [];
  let isLeftOpen = false;
  let last: { readonly ran: JobRan; readonly report: ApplyReport } | null = null;

  const rows = () => sandbox.service.dump() as unknown as LiveRows;
  /** Newest first. */
  const open = () => requests.filter(({ merged }) => merged === null).reverse();
  const choose = <Item>(items: readonly Item[], index: number): Item | undefined =>
    items[index % Math.max(1, items.length)];

  function editsOf(edits: readonly FileEdit[]): FileEdits {
    const before = filesIn(loop.author);
    let files: Files = before;
    for (const edit of edits) {
      const changed = edited(files, edit);
      if (changed !== null) files = withEdits(files, changed);
    }
    const names = [...new Set([...Object.keys(before), ...Object.keys(files)])].filter(
      (name) => before[name] !== files[name],
    );
    return Object.fromEntries(names.map((name) => [name, files[name] ?? null]));
  }

  async function plan(request: Request): Promise<void> {
    const ran = await loop.ci(["ci", "plan", "--format", "json"], { pullRequest: request.number });
    log.push(`ci plan of #${request.number}: exit ${ran.exitCode}`);
    const made = JSON.parse(ran.stdout || "{}") as Partial<Plan>;
    const isTold = ran.exitCode === 0 || problemsOf(made).length > 0;
    if (!isTold) throw new Error(`ci plan failed and does not say why\n${ran.stdout}\n${ran.stderr}`);
    const { changes = [], already = [], operations = [] } = made;
    request.plan = {
      lists: new Set([...changes, ...already].flatMap(digestible)),
      sends: sentBy(operations),
      at: happenings,
    };
  }

  async function run(argv: readonly string[], job: Job = {}): Promise<JobRan> {
    loop.takeCalls();
    const ran = await loop.ci([...argv, "--format", "json", "--settle", "0"], job);
    sandbox.control.clearFaults();
    return ran;
  }

  /** What must hold after every run that ended by itself. */
  function judge(ran: JobRan, isCutShort: boolean, what: string): void {
    const report = JSON.parse(ran.stdout || "{}") as ApplyReport;
    const { changes = [], held = [] } = report.plan ?? {};
    log.push(
      `${what}: exit ${ran.exitCode}${changes.map(lineOf("  ")).join("")}${held.map(lineOf("  held ")).join("")}`,
    );
    last = { ran, report };
    const live = rows();
    for (const id of sold)
      if (![...live.events, ...live.tickets].some((row) => row.id === id)) fail(`${id} was deleted, and had been sold`);
    if (isCutShort) return;
    const files = filesIn(ran.directory);
    const differences = differencesOf(wishedBy(files, clock.now), webhooksOf(files), live);
    for (const key of byHand.keys())
      if (!differences.some(({ id, field }) => key === `${id}/${field}`)) byHand.delete(key);
    const unexplained = differences.filter((one) => !isByHand(one));
    const text = ran.stdout + ran.stderr;
    const silent = ran.exitCode === 0 ? unexplained : unexplained.filter((one) => !isTold(one, report.plan, text));
    if (silent.length > 0)
      fail(`${what} ended with ${ran.exitCode}, and says nothing of ${silent.map(show).join("; ")}`);

    function fail(why: string): never {
      throw new Error(`${why}\n\n${ran.stderr}\n${ran.stdout.slice(0, 6000)}`);
    }
  }

  function isByHand({ id, field, wish }: Difference): boolean {
    const key = `${id}/${field}`;
    return byHand.has(key) && JSON.stringify(byHand.get(key) ?? null) === JSON.stringify(wish ?? null);
  }

  async function apply(how: ApplyKind, at: number): Promise<void> {
    const stop = new AbortController();
    const { control } = sandbox;
    let ref: string | null = null;
    if (how === "killed" || how === "killed-after")
      control.addFault({
        kind: "kill",
        writes: true,
        at: at + 1,
        moment: how === "killed" ? "before" : "after",
        onKill() {
          ref = loop.stateCommit();
          control.addFault({ kind: "request-lost", times: 0 });
          stop.abort();
        },
      });
    if (how === "interrupted")
      control.addFault({ kind: "kill", moment: "after", writes: true, at: at + 1, onKill: () => stop.abort() });
    if (how === "lost") control.addFault({ kind: "response-lost", writes: true, at: at + 1 });
    if (how === "refused") control.addFault({ kind: "error-before", status: 503, writes: true, at: at + 1, times: 20 });
    const older = choose(commits, at);
    const job: Job = {
      interrupted: stop.signal,
      ...(how === "older" && older !== undefined ? { revision: older } : {}),
    };
    const runs = how === "twice" ? [run(["ci", "apply"]), run(["ci", "apply"])] : [run(["ci", "apply"], job)];
    for (const ran of await Promise.all(runs)) {
      loop.endRuns();
      if (ref !== null) loop.resetState(ref);
      judge(ran, stop.signal.aborted, `ci apply (${how})`);
      if (how === "whole") judgeReview(ran);
    }
    if (how !== "older") {
      isLeftOpen = how !== "whole" && how !== "twice";
      if (last?.ran.exitCode === 0) waiting = [];
    }
    happenings += 1;
  }

  /** What was sent was reviewed, and what was reviewed is what was sent. */
  function judgeReview({ stdout, exitCode }: JobRan): void {
    const { plan } = JSON.parse(stdout) as ApplyReport;
    const made = plan.changes.filter(({ blockedBy, origin }) => blockedBy.length === 0 && origin !== "phase");
    const listed = waiting.flatMap((request) => [...(request.plan?.lists ?? [])]);
    const unseen = made.flatMap(digestible).filter((line) => !listed.includes(line));
    if (waiting.length > 0 && unseen.length > 0) throw new Error(`Nobody has reviewed ${unseen.join(", ")}`);
    const sent = sentBy(plan.operations);
    // What an interrupted run has left is found out by the apply, not by the plan.
    if (promised === null || promised.at !== happenings || isLeftOpen || sent === promised.sends) return;
    throw new Error(`The plan listed\n${promised.sends}\nand ci apply (exit ${exitCode}) had to send\n${sent}`);
  }

  async function take(step: Step): Promise<void> {
    if (!["open", "plan", "merge", "apply"].includes(step.do)) happenings += 1;
    switch (step.do) {
      case "open": {
        loop.checkoutMain();
        const files = editsOf(step.edits);
        if (Object.keys(files).length === 0) return;
        const number = loop.openPullRequest(files);
        requests.push({ number, merged: null, plan: null });
        log.push(
          `#${number} opened: ${step.edits.map(({ kind, which, value }) => `${kind} ${which} ${value}`).join(", ")}`,
        );
        return;
      }
      case "push": {
        const request = choose(open(), step.request);
        if (request === undefined) return;
        loop.checkout(request.number);
        loop.push(request.number, editsOf([step.edit]));
        log.push(`#${request.number} pushed: ${step.edit.kind} ${step.edit.which} ${step.edit.value}`);
        return;
      }
      case "update": {
        const request = choose(open(), step.request);
        if (request === undefined) return;
        loop.update(request.number, step.favor);
        log.push(`#${request.number} updated from main, in favor of ${step.favor}`);
        return;
      }
      case "plan": {
        const request = choose(open(), step.request);
        if (request !== undefined) await plan(request);
        return;
      }
      case "merge": {
        const request = choose(open(), step.request);
        if (request === undefined) return;
        if (step.planned) await plan(request);
        try {
          request.merged = loop.merge(request.number);
          commits.push(request.merged);
          waiting.push(request);
          const isAsPlanned = request.plan?.at === happenings && request.plan.lists.size > 0;
          happenings += 1;
          promised = isAsPlanned ? { sends: request.plan?.sends ?? "", at: happenings } : null;
          log.push(`#${request.number} merged`);
        } catch {
          log.push(`#${request.number} has conflicts`);
        }
        return;
      }
      case "revert":
      case "pick": {
        const of = step.do === "revert" ? requests.filter(({ merged }) => merged !== null) : requests;
        const request = choose([...of].reverse(), step.request);
        if (request === undefined) return;
        const number = loop.proposePullRequest(
          step.do === "revert"
            ? ["revert", "--no-edit", "-m", "1", request.merged ?? ""]
            : ["cherry-pick", `origin/branch-${request.number}`],
        );
        if (number === null) return;
        requests.push({ number, merged: null, plan: null });
        log.push(`#${number} opened: ${step.do} of #${request.number}`);
        return;
      }
      case "commit": {
        loop.checkoutMain();
        const files = editsOf([step.edit]);
        if (Object.keys(files).length === 0) return;
        commits.push(loop.commit(files));
        log.push(`commit on main: ${step.edit.kind} ${step.edit.which} ${step.edit.value}`);
        return;
      }
      case "apply":
        return apply(step.how, step.at);
      case "sell": {
        const { events, tickets } = rows();
        const onSale = tickets.filter(
          (ticket) =>
            ticket.published === true &&
            events.some(({ id, status }) => id === ticket.eventId && status === "PUBLISHED") &&
            Number(ticket.remainingQuantity) >= step.count,
        );
        const ticket = choose(onSale, step.ticket);
        if (ticket === undefined) return;
        sandbox.control.sell({ event: String(ticket.eventId), ticket: ticket.id, count: step.count });
        sold.add(String(ticket.eventId)).add(ticket.id);
        log.push(`sold ${step.count} of ${ticket.name} of ${events.find(({ id }) => id === ticket.eventId)?.name}`);
        return;
      }
      case "refund": {
        const order = rows().orders.find(({ status }) => status === "COMPLETED");
        if (order === undefined) return;
        sandbox.control.refund(order.id);
        log.push("refunded an order");
        return;
      }
      case "hand":
        return byHandStep(step.event, step.value);
      case "pass": {
        const next = moments.map((each) => Date.parse(each)).find((each) => each > clock.now);
        clock.now = next ?? clock.now + 3_600_000;
        log.push(`it is ${new Date(clock.now).toISOString()}`);
      }
    }
  }

  /** Somebody edits an event in the dashboard. */
  async function byHandStep(index: number, value: number): Promise<void> {
    const { events, tickets } = rows();
    const event = choose(
      events.filter(({ status }) => status !== "ARCHIVED"),
      index,
    );
    if (event === undefined) return;
    const ticket = tickets.find(({ eventId }) => eventId === event.id);
    const call = (method: "POST" | "PATCH", path: string, body = {}) =>
      sandbox.service.call(method, `/events/${event.id}${path}`, body);
    const note = (object: Readonly<Record<string, unknown>>, field: string, to: unknown) => {
      const key = `${object.id}/${field}`;
      if (!byHand.has(key)) byHand.set(key, object[field]);
      log.push(`by hand: ${field} of ${object.name} (${event.name}) = ${to}`);
    };
    if (value % 4 === 0) {
      note(event, "description", "By hand");
      await call("PATCH", "", { description: "By hand" });
    } else if (value % 4 === 1) {
      note(event, "eventCapacity", 999);
      await call("PATCH", "", { eventCapacity: 999 });
    } else if (value % 4 === 2 && ticket !== undefined) {
      note(ticket, "price", 555);
      await call("PATCH", `/tickets/${ticket.id}`, { price: 555 });
    } else {
      note(event, "status", event.status === "DRAFT" ? "PUBLISHED" : "DRAFT");
      await call("POST", event.status === "DRAFT" ? "/publish" : "/unpublish");
    }
  }

  return {
    async begin() {
      loop.commit(firstFiles);
      await apply("whole", 0);
      if (last?.ran.exitCode !== 0) throw new Error(`The walk cannot begin\n${last?.ran.stdout}`);
    },
    take,
    /** Everything that was merged is applied, by whatever it takes, and then nothing is left to do. */
    async settle() {
      for (let round = 0; round < 2; round++) await apply("whole", 0);
      judge(await run(["ci", "apply", "--unreviewed", "apply"]), false, "ci apply --unreviewed apply");
      const whole = ["apply", "--yes", "--skip-blocked"];
      const ran = await run(whole);
      byHand.clear();
      judge(ran, false, "apply");
      loop.takeCalls();
      judge(await run(whole), false, "apply again");
      const writes = loop.takeCalls().filter((line) => !line.includes("GET"));
      if (writes.length > 0) throw new Error(`A second apply still writes: ${writes.join(", ")}`);
    },
  };
}

/** One line for each thing that is reviewed by itself. */
function digestible({ address, action, transition, edits }: Plan["changes"][number]): readonly string[] {
  return [
    ...(action === "update" || action === "none" ? [] : [`${action} ${address}`]),
    ...(transition === null ? [] : [`${address} → ${transition.to}`]),
    ...edits
      .filter(({ origin }) => origin !== "phase")
      .map(({ path, after }) => `${address}${path} = ${JSON.stringify(after)}`),
  ];
}

function sentBy(operations: Plan["operations"]): string {
  return operations
    .map(({ verb, address }) => `${verb} ${address}`)
    .sort()
    .join("\n");
}

function problemsOf({ diagnostics = [], changes = [] }: Partial<Plan>): readonly string[] {
  return [
    ...diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
    ...changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code)),
  ];
}

/** Whether a run that did not end well says that this is not as the files wish it. */
function isTold({ address, id }: Difference, plan: Plan | undefined, text: string): boolean {
  // Nothing was applied at all, and it is said why.
  if (plan?.diagnostics.some(({ severity }) => severity === "error") === true) return true;
  const named = [JSON.stringify(address).slice(1, -1), ...(id === null ? [] : [id])];
  return named.some((each) => text.includes(each));
}

function show({ address, field, wish, live }: Difference): string {
  return `${address}${field && `/${field}`}: files say ${JSON.stringify(wish)}, live is ${JSON.stringify(live)}`;
}

function lineOf(prefix: string) {
  return ({ address, action, transition, edits, blockedBy, origin }: Plan["changes"][number]) =>
    `\n  ${prefix}${action} ${address}${transition === null ? "" : ` → ${transition.to}`} ${origin ?? ""} ${edits.map((edit) => `${edit.path}=${JSON.stringify(edit.after)} (${edit.origin})`).join(" ")} ${blockedBy.map(({ code }) => code).join()}`;
}

function withEdits(files: Files, edits: FileEdits): Files {
  const all = Object.entries({ ...files, ...edits });
  return Object.fromEntries(all.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
}

function webhooksOf(files: Files): readonly Raw[] | null {
  return files["webhooks.yaml"] === undefined ? null : (parse(files["webhooks.yaml"]) as Raw[]);
}

/** The files of a project, by their paths. */
function filesIn(directory: string): Files {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((name) => !name.startsWith("."));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
