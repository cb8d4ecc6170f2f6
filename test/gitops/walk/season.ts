// The files that people edit in a walk, and what they may do to them. An edit is drawn as numbers, so that it can be shrunk, and
// finds among the files of its branch what it is about.
import { parse, parseAllDocuments, stringify } from "yaml";
import type { FileEdits } from "../hosted-loop.ts";

export type Files = Readonly<Record<string, string>>;
/** A YAML map as people write it. */
export type Raw = Record<string, unknown>;

const online = { timezone: "Asia/Manila", locationType: "ONLINE" };
const ticket = (name: string, price: number, more: Raw = {}) => ({
  name,
  price,
  quantity: 100,
  published: true,
  ...more,
});

/** What is in the repository when the walk begins, in addition to the project file. */
export const firstFiles: FileEdits = {
  "events/manila-nights.yaml": null,
  "events/gala.yaml": stringify({
    name: "Gala",
    status: "PUBLISHED",
    dateTime: "2027-05-01T19:00:00+08:00",
    description: "One",
    eventCapacity: 300,
    tickets: [ticket("GA", 500), ticket("VIP", 900)],
    ...online,
  }),
  "events/jazz.yaml": stringify({
    extends: "club",
    name: "Jazz",
    dateTime: "2027-05-02T19:00:00+08:00",
    status: "PUBLISHED",
    ...online,
  }),
  "events/friday.yaml": stringify({
    extends: "club",
    name: "Friday ${var.who}",
    vars: { who: "Residents" },
    dateTime: "22:00",
    series: { every: "friday", from: "2027-06-04", count: 3, skip: [], dates: {} },
    ...online,
  }),
  "templates/club.yaml": stringify({ description: "Club", tickets: [ticket("GA", 500)] }),
};

/** Where phases begin and end; the clock of a walk starts before them, and goes from one to the next. */
export const moments = ["2027-02-01T00:00:00Z", "2027-02-02T00:00:00Z", "2027-02-03T00:00:00Z"] as const;

export const editKinds = [
  "price",
  "quantity",
  "description",
  "capacity",
  "status",
  "rename",
  "reschedule",
  "rename-ticket",
  "add-ticket",
  "remove-ticket",
  "new-file",
  "delete-file",
  "move-file",
  "join-files",
  "split-file",
  "default",
  "template",
  "extends",
  "skip-date",
  "edit-date",
  "count",
  "phase",
  "no-phase",
  "allow",
  "webhook",
  "performer",
] as const;

/** `which` chooses the object, `value` what becomes of it. */
export interface FileEdit {
  readonly kind: (typeof editKinds)[number];
  readonly which: number;
  readonly value: number;
}

interface Document {
  readonly file: string;
  readonly index: number;
  readonly raw: Raw;
}

export function documentsOf(files: Files): readonly Document[] {
  return Object.keys(files)
    .filter((file) => file.startsWith("events/"))
    .sort()
    .flatMap((file) =>
      parseAllDocuments(files[file] ?? "").map((document, index) => ({ file, index, raw: document.toJS() as Raw })),
    );
}

/** What the edit makes of the files; null: there is nothing that it could be about. */
export function edited(files: Files, { kind, which, value }: FileEdit): FileEdits | null {
  const documents = documentsOf(files);
  const of = (wanted: (one: Document) => boolean) => pick(documents.filter(wanted), which);
  const one = pick(documents, which);
  const single = of(({ raw }) => raw.series === undefined);
  const series = of(({ raw }) => raw.series !== undefined);
  const withTickets = of(({ raw }) => list(raw.tickets).length > 0);
  const project = parse(files["ticketing.yaml"] ?? "") as Raw;

  /** The files with this document changed; without a value for a field, it is left out. */
  function change(document: Document | undefined, fields: Raw): FileEdits | null {
    if (document === undefined) return null;
    const siblings = documents.filter(({ file }) => file === document.file);
    const raws = siblings.map((each) => (each === document ? withFields(each.raw, fields) : each.raw));
    return write(document.file, raws);
  }
  function changeTicket(fields: (raw: Raw) => Raw): FileEdits | null {
    const tickets = list(withTickets?.raw.tickets);
    const chosen = pick(tickets, value);
    return change(withTickets, {
      tickets: tickets.map((each) => (each === chosen ? withFields(each, fields(each)) : each)),
    });
  }

  switch (kind) {
    case "price":
      return changeTicket(() => ({ price: [500, 700, 900][value % 3] }));
    case "quantity":
      return changeTicket(() => ({ quantity: [100, 150, 3][value % 3] }));
    case "rename-ticket":
      return changeTicket(({ name }) => ({ name: name === "VIP" ? "Balcony" : "VIP", renamedFrom: name }));
    case "add-ticket": {
      const tickets = list(single?.raw.tickets);
      const name = ["Early", "Late"][value % 2] as string;
      if (tickets.some((each) => each.name === name)) return null;
      return change(single, { tickets: [...tickets, ticket(name, 400, { published: value % 3 > 0 })] });
    }
    case "remove-ticket": {
      const tickets = list(withTickets?.raw.tickets);
      return change(withTickets, { tickets: tickets.filter((each) => each !== pick(tickets, value)) });
    }
    case "description":
      return change(one, { description: ["One", "Two", null, undefined][value % 4] });
    case "capacity":
      return change(one, { eventCapacity: [300, 400, undefined][value % 3] });
    case "status":
      return change(one, { status: ["PUBLISHED", "DRAFT", "ARCHIVED", "DELETED", undefined][value % 5] });
    case "rename":
      return change(single, { name: `${String(single?.raw.name).split(" ")[0]} ${["Night", "Day"][value % 2]}` });
    case "reschedule":
      return change(single, { dateTime: String(single?.raw.dateTime).replace(/T\d\d/, `T${18 + (value % 3)}`) });
    case "new-file": {
      const key = ["rock", "folk", "swing"][value % 3] as string;
      if (documents.some(({ file, raw }) => file.includes(key) || raw.key === key)) return null;
      const dateTime = `2027-05-1${value % 3}T19:00:00+08:00`;
      const name = key[0]?.toUpperCase() + key.slice(1);
      return write(`events/${key}.yaml`, [
        { name, dateTime, status: value % 2 === 0 ? "PUBLISHED" : "DRAFT", tickets: [ticket("GA", 500)], ...online },
      ]);
    }
    case "delete-file":
      return one === undefined ? null : write(one.file, []);
    case "move-file": {
      if (one === undefined) return null;
      const name = one.file.slice(one.file.lastIndexOf("/") + 1);
      const moved = [`events/2027/${name}`, `events/${name}`, `events/x-${name.replace(/^x-/, "")}`][
        value % 3
      ] as string;
      return files[moved] === undefined ? { [one.file]: null, [moved]: files[one.file] as string } : null;
    }
    case "join-files": {
      const other = pick(
        documents.filter(({ file }) => file !== one?.file),
        value,
      );
      if (one === undefined || other === undefined) return null;
      const both = documents.filter(({ file }) => file === one.file || file === other.file);
      return { ...write(other.file, []), ...write(one.file, both.map(keyed)) };
    }
    case "split-file": {
      const shared = of(({ file }) => documents.filter((each) => each.file === file).length > 1);
      if (shared === undefined) return null;
      const rest = documents.filter((each) => each.file === shared.file && each !== shared);
      const alone = `events/${keyOf(shared)}-alone.yaml`;
      if (files[alone] !== undefined) return null;
      return { ...write(shared.file, rest.map(keyed)), ...write(alone, [keyed(shared)]) };
    }
    case "default": {
      const defaults = [
        {},
        { description: "Default" },
        { tickets: { maximumPurchaseQuantity: 4 } },
        { eventCapacity: 250 },
      ];
      return { "ticketing.yaml": stringify({ ...project, defaults: defaults[value % 4] }) };
    }
    case "template": {
      const template = parse(files["templates/club.yaml"] ?? "") as Raw;
      const changed = [
        { description: "Club" },
        { description: "Late club" },
        { tickets: [ticket("GA", 700)] },
        { tickets: [ticket("GA", 500), ticket("VIP", 900)] },
      ];
      return { "templates/club.yaml": stringify({ ...template, ...changed[value % 4] }) };
    }
    case "extends":
      return change(single, { extends: value % 2 === 0 ? "club" : undefined });
    case "skip-date":
      return change(series, { series: { ...seriesOf(series), skip: value % 4 === 3 ? [] : [dates[value % 3]] } });
    case "edit-date": {
      const date = dates[which % 3] as string;
      const entry = [{ vars: { who: "Ana" } }, { tickets: [{ name: "GA", price: 700 }] }, { description: "Two" }];
      const chosen = value % 4 === 3 ? {} : { [date]: entry[value % 4] };
      // An entry for a date that is not in the series is an error in the files.
      if (list(seriesOf(series).skip as Raw[]).includes(date as unknown as Raw)) return null;
      return change(series, { series: { ...seriesOf(series), dates: chosen } });
    }
    case "count":
      return change(series, { series: { ...seriesOf(series), count: 3 + (value % 2) } });
    case "phase": {
      const [from, until] = [moments[value % 2], moments[(value % 2) + 1]];
      const brings = [
        { description: "Due" },
        { status: "PUBLISHED" },
        { description: "Soon", until },
        { status: "ARCHIVED" },
      ];
      const phase = { from, ...brings[which % 4] };
      if (which % 4 === 2 && single?.raw.description == null) return null;
      return change(single, { phases: [phase] });
    }
    case "no-phase":
      return change(
        of(({ raw }) => raw.phases !== undefined),
        { phases: undefined },
      );
    case "allow": {
      const risks = ["delete-event", "delete-ticket-on-sale", "delete-webhook"];
      const sold = ["price-change-with-sales", "unpublish-with-sales", "reschedule-with-sales", "archive-with-sales"];
      const allow = [risks, [...risks, ...sold], []][value % 3];
      return { "ticketing.yaml": stringify({ ...project, allow }) };
    }
    case "webhook": {
      const before = list(parse(files["webhooks.yaml"] ?? "[]") as Raw[]);
      const url = `https://hooks.example.com/${"ab"[which % 2]}`;
      const others = before.filter((each) => each.url !== url);
      const hook = { url, events: ["order.completed"], isActive: value % 3 === 0, secretName: "HOOK" };
      const hooks = value % 3 === 2 ? others : [...others, hook];
      return { "webhooks.yaml": stringify(hooks) };
    }
    case "performer": {
      const performers = [[], [{ name: "Ana" }], [{ name: "Ana", description: "Sings" }], undefined][value % 4];
      return change(single, { performers });
    }
  }
}

/** The dates of the series. */
const dates = ["2027-06-04", "2027-06-11", "2027-06-18", "2027-06-25"];

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)];
}

function list(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? (value as Raw[]) : [];
}

function seriesOf(document: Document | undefined): Raw {
  return (document?.raw.series ?? {}) as Raw;
}

function withFields(raw: Raw, fields: Raw): Raw {
  return Object.fromEntries(Object.entries({ ...raw, ...fields }).filter(([, value]) => value !== undefined));
}

/** By its file's name, unless it says otherwise. */
export function keyOf({ file, raw }: Pick<Document, "file" | "raw">): string {
  return String(raw.key ?? file.slice(file.lastIndexOf("/") + 1).replace(/\.yaml$/, ""));
}

function keyed(document: Document): Raw {
  return { key: keyOf(document), ...document.raw };
}

/** No document: no file. */
function write(file: string, raws: readonly Raw[]): FileEdits {
  return { [file]: raws.length === 0 ? null : raws.map((raw) => stringify(raw)).join("---\n") };
}
