// `renamedFrom` says which live object is meant even where another one has the new name, and says nothing once it is applied.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";
import { planOf } from "../../stage/plan-of.ts";

let project: Project;
afterEach(() => (project as Project | undefined)?.close());

const moment = "2027-03-14T11:00:00.000Z";
const statePath = ".ticketing/state.default.json";

async function plannedActions(...flags: string[]): Promise<readonly string[]> {
  const { plan } = await project.plan(...flags);
  return plan.changes.map(({ address, action, blockedBy }) =>
    [address, action, ...blockedBy.map(({ code }) => code)].join(" "),
  );
}

/** Nothing is left to do, with state and without, although `renamedFrom` is still in the files. */
async function expectDone(): Promise<void> {
  expect(await plannedActions()).toEqual([]);
  await project.remove(statePath);
  expect(await plannedActions()).toEqual([]);
}

function namesOf(list: "events" | "tickets"): ReadonlyMap<string, string> {
  const rows = project.sandbox.service.dump()[list] as readonly { readonly id: string; readonly name?: string }[];
  return new Map(rows.map(({ id, name }) => [id, name ?? ""]));
}

/** `VIP`, or `GA < VIP` for what is renamed from it. */
function yamlOf(text: string): string {
  const [name, from] = text.split(" < ");
  return from === undefined ? `name: ${name}` : `name: ${name}, renamedFrom: ${from}`;
}

describe("entries of a list", () => {
  const prices: Record<string, number> = {};
  function fileOf(entries: readonly string[]): string {
    const lines = entries.map((entry) => {
      // What is renamed keeps its price, so that a wrong pair shows as a change of price.
      const [name = "", from] = entry.split(" < ");
      prices[entry] ??= prices[from ?? name] ?? 100 * (Object.keys(prices).length + 1);
      return `  - { ${yamlOf(entry)}, price: ${prices[entry]}, quantity: 10, published: false }\n`;
    });
    return `name: Jazz\ndateTime: 2027-03-14T19:00+08:00\ntickets:\n${lines.join("")}`;
  }

  interface Row {
    readonly live: readonly string[];
    readonly files: readonly string[];
    /** What each of `live` is called in the end; null: deleted. */
    readonly become: readonly (string | null)[];
    readonly made?: readonly string[];
    /** Without state it may also be done, and what was renamed deleted by hand. */
    readonly asks?: boolean;
  }
  const rows: readonly Row[] = [
    { live: ["VIP"], files: ["GA < VIP"], become: ["GA"] },
    { live: ["VIP", "GA"], files: ["GA < VIP", "Late < GA"], become: ["GA", "Late"] },
    { live: ["VIP", "GA"], files: ["Late < GA", "GA < VIP"], become: ["GA", "Late"] },
    { live: ["GA"], files: ["Early < GA", "GA"], become: ["Early"], made: ["GA"], asks: true },
    { live: ["GA"], files: ["GA", "Early < GA"], become: ["Early"], made: ["GA"], asks: true },
    { live: ["VIP", "GA"], files: ["VIP", "GA < VIP", "Late < GA"], become: ["GA", "Late"], made: ["VIP"], asks: true },
    // Nobody leaves the new name: it means who has it.
    { live: ["VIP", "GA"], files: ["GA < VIP"], become: [null, "GA"] },
    // Before and after look the same.
    { live: ["VIP", "GA"], files: ["GA < VIP", "VIP < GA"], become: ["VIP", "GA"] },
    // Two say the same.
    { live: ["GA"], files: ["GA", "Early < GA", "Late < GA"], become: ["GA"], made: ["Early", "Late"] },
    // It was never live, or is long done.
    { live: ["GA"], files: ["GA < VIP"], become: ["GA"] },
  ];
  const table = rows.flatMap((row) =>
    [true, false].map((hasState) => ({ ...row, hasState, asks: row.asks === true && !hasState })),
  );

  test.each(table)(
    "$live live, $files in the file, state: $hasState",
    async ({ live, files, become, made, hasState, asks }) => {
      project = await openProject({ "events/jazz.yaml": fileOf(live) });
      expect((await project.apply()).exitCode).toBe(0);
      const before = [...namesOf("tickets").keys()];
      if (!hasState) await project.remove(statePath);
      await project.write("events/jazz.yaml", fileOf(files));
      if (asks) {
        const expected = files.map((entry) => `events/jazz/tickets/${entry.split(" < ")[0]} create ambiguous-ticket`);
        expect(new Set(await plannedActions())).toEqual(new Set(expected));
        return;
      }
      expect((await project.apply()).exitCode).toBe(0);
      const after = namesOf("tickets");
      expect(before.map((id) => after.get(id) ?? null)).toEqual(become);
      expect([...after].flatMap(([id, name]) => (before.includes(id) ? [] : name))).toEqual(made ?? []);
      await expectDone();
    },
  );

  const [reused, chain] = [
    ["VIP < GA", "GA"],
    ["GA < VIP", "Late < GA"],
  ];
  const remembered: readonly { live: string[]; base?: string[]; files: string[]; planned: string[] }[] = [
    // The base has the rename already: somebody deleted what was renamed.
    { live: ["GA"], base: reused, files: reused, planned: ["VIP create"] },
    { live: ["GA"], base: ["VIP", "GA"], files: reused, planned: ["VIP create"] },
    { live: ["GA"], base: chain, files: chain, planned: ["Late create"] },
    { live: ["VIP", "GA"], base: ["VIP", ...chain], files: ["VIP", ...chain], planned: ["Late create"] },
    // The base has only the former name.
    { live: ["GA"], base: ["GA"], files: reused, planned: ["VIP update", "GA create"] },
    { live: ["VIP", "GA"], base: ["VIP", "GA"], files: chain, planned: ["GA update", "Late update"] },
    // Nothing shows it. A chain whose first name nobody wants is to come: once it is done, nobody has that name.
    { live: ["GA"], files: reused, planned: ["VIP create ambiguous-ticket", "GA create ambiguous-ticket"] },
    { live: ["GA"], files: chain, planned: ["GA create ambiguous-ticket", "Late create ambiguous-ticket"] },
    { live: ["VIP", "GA"], files: chain, planned: ["GA update", "Late update"] },
    // The response: no `renamedFrom`.
    { live: ["GA"], files: ["VIP", "GA"], planned: ["VIP create"] },
  ];
  test.each(remembered)("$live live, $files in the file, base: $base", async ({ live, base, files, planned }) => {
    const tickets = live.map((name) => ({ name, price: 100, quantity: 10 }));
    const { plan } = await planOf({
      // Only a document that differs from the base is planned.
      files: { "events/jazz.yaml": `${fileOf(files)}description: All night long.\n` },
      ...(base === undefined ? {} : { base: { "events/jazz.yaml": fileOf(base) } }),
      live: { events: [{ name: "Jazz", dateTime: moment, tickets }] },
    });
    const changes = plan.changes.filter(
      ({ kind, action, edits }) =>
        kind === "ticket" && (action === "create" || edits.some(({ path }) => path === "/name")),
    );
    const actions = changes.map(({ address, action, blockedBy }) =>
      [address.replace("events/jazz/tickets/", ""), action, ...blockedBy.map(({ code }) => code)].join(" "),
    );
    expect(new Set(actions)).toEqual(new Set(planned));
  });

  test("that only differ in section are no rivals for a former name", async () => {
    const rest = "price: 100, quantity: 10, published: false";
    const { plan } = await planOf({
      files: {
        "events/jazz.yaml": `name: Jazz\ndateTime: 2027-03-14T19:00+08:00\ntickets:\n  - { name: VIP, renamedFrom: GA, section: A, ${rest} }\n  - { name: GA, section: B, ${rest} }\n`,
      },
      live: {
        events: [
          {
            name: "Jazz",
            dateTime: moment,
            tickets: ["A", "B"].map((section) => ({ name: "GA", section, price: 100, quantity: 10 })),
          },
        ],
      },
    });
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ["events/jazz/tickets/VIP", "update"],
    ]);
  });

  test("have the base of their former name, and a new one of that name is new", async () => {
    const live = { events: [{ name: "Jazz", dateTime: moment, tickets: [{ name: "GA", price: 100, quantity: 10 }] }] };
    const base = { "events/jazz.yaml": fileOf(["GA"]) };
    const { plan } = await planOf({ files: { "events/jazz.yaml": fileOf(["Early < GA", "GA"]) }, base, live });
    expect(plan.changes.map(({ address, action, origin }) => [address, action, origin])).toEqual([
      ["events/jazz/tickets/Early", "update", undefined],
      ["events/jazz/tickets/GA", "create", "edit"],
    ]);
  });

  test("are not renamed again where state knows them by the new name, and somebody deleted them", async () => {
    project = await openProject({ "events/jazz.yaml": fileOf(["GA"]) });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/jazz.yaml", fileOf(["Early < GA", "GA"]));
    const { plan } = await project.plan();
    expect(plan.changes.map(({ reason, origin }) => [reason, origin])).toEqual([
      ["fields differ", undefined],
      ["not live yet", "edit"],
    ]);
    expect((await project.apply()).exitCode).toBe(0);
    const { objects } = await project.state();
    const path = `/events/${objects["events/jazz"]?.id}/tickets/${objects["events/jazz/tickets/Early"]?.id}`;
    const { baseUrl, apiKey } = project.sandbox;
    await fetch(`${baseUrl}${path}`, { method: "DELETE", headers: { "api-key": apiKey } });
    expect(await plannedActions()).toEqual(["events/jazz/tickets/Early create"]);
  });
});

describe("documents", () => {
  type Files = Readonly<Record<string, string>>;
  /** Key by key: `VIP`, or `GA < VIP` for what is renamed from it. */
  function filesOf(events: Files): Files {
    return Object.fromEntries(
      Object.entries(events).map(([key, text]) => [
        `events/${key}.yaml`,
        `${yamlOf(text).replaceAll(", ", "\n")}\ndateTime: 2027-03-14T19:00+08:00\nlocationType: ONLINE\n`,
      ]),
    );
  }
  const liveNames = ["Main", "Club"];

  interface Row {
    readonly files: Files;
    /** What "Main" and "Club", which `a` and `b` described, are called in the end. */
    readonly withState: string;
    readonly withBase?: string;
    readonly withNothing?: string;
  }
  const ask = "ambiguous-event";
  const rows: readonly Row[] = [
    { files: { a: "Club < Main", b: "Late < Club" }, withState: "Club, Late" },
    { files: { a: "Late < Main", b: "Main < Club" }, withState: "Late, Main" },
    { files: { a: "Club < Main", b: "Late" }, withState: "Club, Late", withNothing: ask },
    // Before and after look the same, unless ids are known.
    {
      files: { a: "Club < Main", b: "Main < Club" },
      withState: "Club, Main",
      withBase: "Main, Club",
      withNothing: "Main, Club",
    },
    {
      files: { a: "Club < Main", b: "Main" },
      withState: "Club, Main",
      withBase: "Main, Club",
      withNothing: "Main, Club",
    },
    // A name that is used again: without state and git, it may also be the rename that is stale.
    { files: { a: "Early < Main", b: "Club", c: "Main" }, withState: "Early, Club, Main", withNothing: ask },
    {
      files: { a: "Club < Main", b: "Late < Club", c: "Main" },
      withState: "Club, Late, Main",
      withNothing: ask,
    },
    { files: { a: "Early < Main", b: "Club", c: "Main\nnew: true" }, withState: "Early, Club, Main" },
    // Its document is still there.
    { files: { a: "Main", b: "Club", c: "Early < Main" }, withState: "Main, Club, Early", withNothing: ask },
  ];

  test.each(rows)("$files with state", async ({ files, withState }) => {
    project = await openProject(filesOf({ a: "Main", b: "Club" }));
    expect((await project.apply()).exitCode).toBe(0);
    for (const [file, text] of Object.entries(filesOf(files))) await project.write(file, text);
    expect((await project.apply()).exitCode).toBe(0);
    expect([...namesOf("events").values()].join(", ")).toBe(withState);
    await expectDone();
  });

  test.each(rows)("$files with a base, and with nothing", async ({ files, withState, ...row }) => {
    const live = { events: liveNames.map((name) => ({ name, dateTime: moment, locationType: "ONLINE" })) };
    const base = filesOf({ a: "Main", b: "Club" });
    for (const [memory, expected] of [
      [{ base }, row.withBase ?? withState],
      [{}, row.withNothing ?? withState],
    ] as const) {
      const { plan, service } = await planOf({ files: filesOf(files), live, ...memory });
      const ids = service.dump().events.map(({ id }) => id);
      const codes = new Set(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code)));
      const become = ids.map((id, at) => {
        const change = plan.changes.find((one) => one.id === id);
        return String(change?.edits.find(({ path }) => path === "/name")?.after ?? liveNames[at]);
      });
      const made = plan.changes.filter(({ action }) => action === "create").map(({ edits }) => String(edits[0]?.after));
      // Where something is in doubt, nothing else is renamed: it may be further along that chain.
      if (codes.size > 0) expect(become).toEqual(liveNames);
      expect(codes.size > 0 ? [...codes].join() : [...become, ...made].join(", ")).toBe(expected);
    }
  });
});
