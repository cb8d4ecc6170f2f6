// Names, hints and URLs in a comment on a pull request: read by the parser that the hosts' own is the model of, none of
// them is a link, a picture, a mention or markup.
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { encodeSegment } from "../../src/model/address.ts";
import { serviceCode } from "../../src/model/diagnostic.ts";
import type { Change, Plan } from "../../src/model/plan.ts";
import { renderPlanMarkdown } from "../../src/report/formats/plan-markdown.ts";
import type { EventFigures, StatusReport } from "../../src/report/status/figures.ts";
import { renderStatusMarkdown } from "../../src/report/status/tables.ts";
import { change, edit, operation, plan, sets } from "../stage/plan-samples.ts";

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function parse(markdown: string): readonly Node[] {
  const all: Node[] = [];
  const walk = (node: Node): void => {
    all.push(node);
    node.children?.forEach(walk);
  };
  walk(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node);
  return all;
}

const meant = new Set(
  "root heading paragraph text inlineCode code strong list listItem html break table tableRow tableCell".split(" "),
);
// What a host makes a link, a picture, a mention, a reference or an emoji of when it is in plain text.
const speaking =
  /[@#<>[\]{}*_~^\\|$]|&(?:\p{N}|\w+;)|:[\w+-]+:|:\/\/|www\.|gh-\d|\b[0-9a-f]{7,40}\b|[!%]["\p{L}\p{N}]/iu;

/** Everything that would act on who reads the document. */
function actingParts(markdown: string): readonly string[] {
  return parse(markdown).flatMap(({ type, value = "" }) => {
    if (!meant.has(type)) return [`${type} ${value}`];
    if (type === "text") return speaking.test(value) ? [`text ${value}`] : [];
    if (type !== "html") return [];
    const rest = value.replace(/<code>[^<>@]*<\/code>/g, "").replace(/<\/?(?:details|summary|br)(?: open)?>/g, "");
    return speaking.test(rest) ? [`html ${value}`] : [];
  });
}

/** What a venue, an event, a hint, a description, a tag or a URL may be called. */
const pieces = [
  "`",
  "``",
  "```",
  "`".repeat(90),
  "~~~",
  "\\",
  "\\`",
  "|",
  "\\|",
  "\n",
  "\n\n",
  " ",
  "    ",
  "- ",
  "1. ",
  "# evil",
  "> evil",
  "---",
  "***",
  "[evil](https://evil.example)",
  "![evil](https://evil.example/i.png)",
  "[evil]: https://evil.example",
  "[evil]",
  "<https://evil.example>",
  "<img src=x onerror=evil>",
  "</details>",
  "</code>",
  "<!--",
  "&lt;evil&gt;",
  "https://evil.example/x?y=z",
  "www.evil.example",
  "evil@evil.example",
  "mailto:evil@evil.example",
  "@evil",
  "@evil/team",
  "#12",
  "GH-12",
  "evil/repo#1",
  "0123456789abcdef",
  ":evil:",
  "!12",
  "%12",
  "$evil$",
  "**evil**",
  "_evil_",
  "~~evil~~",
  "Palace",
  "'",
  '"',
  "(",
  ")",
  ":",
];
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""));

interface Texts {
  readonly name: string;
  readonly venue: string;
  readonly former: string;
  readonly hint: string;
  readonly message: string;
  readonly url: string;
}
const texts: fc.Arbitrary<Texts> = fc.record({
  name: hostileText,
  venue: hostileText,
  former: hostileText,
  hint: hostileText,
  message: hostileText,
  url: hostileText,
});

const venueId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";
const otherId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e60";

function planWith({ name, venue, former, hint, message, url }: Texts): Plan {
  const context = { name, timezone: "Asia/Manila", names: { [venueId]: venue, [otherId]: former } };
  const block = { code: "ambiguous-event" as const, message: `${message}\n  ${name}`, hint };
  const source = { file: `events/${name}.yaml`, line: 1, column: 1 };
  const twin = (address: string): Change =>
    change("event", address, {
      context,
      source,
      reason: message,
      edits: [edit("venueId", venueId, otherId), edit("description", former, `${venue}\n${hint}`)],
      blockedBy: [block],
    });
  const ticket = (at: number): Change =>
    change("ticket", `events/a/tickets/${at}`, {
      action: "delete",
      reason: message,
      context: { name: `${name}${at}`, eventName: name },
    });
  return plan({
    target: {
      environment: `prod${name}`,
      baseUrl: url,
      organization: { id: "11111111-1111-4111-8111-111111111111", slug: venue },
    },
    changes: [
      twin("events/a"),
      twin("events/b"),
      ticket(1),
      ticket(2),
      change("performer", `events/a/performers/${encodeSegment(name)}`, {
        edits: [edit("name", former, name), edit("description", null, hint)],
        context: { name, eventName: name },
      }),
      change("webhook", `webhooks/${encodeSegment(url)}`, {
        action: "create",
        edits: sets({ url, events: [name, venue] }),
        context: { name: url },
      }),
    ],
    operations: [
      operation(1, "update", "events/a"),
      operation(2, "delete", "events/a/tickets/1"),
      operation(3, "create", `webhooks/${encodeSegment(url)}`),
    ],
    diagnostics: [
      { code: serviceCode(name), severity: "warning", message: `${message} '${venue}'`, hint, source },
      { code: "X", severity: "error", message: `\`${name}\`${venue}`, hint: `${hint}\`${url}\`${name}`, address: url },
    ],
    summary: { update: 3, blocked: 2 },
  });
}

function statusWith({ name, venue, former, hint, message, url }: Texts): StatusReport {
  const event = (key: string): EventFigures => ({
    key,
    id: venueId,
    slug: null,
    name,
    status: "PUBLISHED",
    dateTime: former,
    endDateTime: null,
    timezone: venue,
    ended: false,
    absorbFees: true,
    managed: key !== "b",
    divergences: [{ address: `events/a/tickets/${encodeSegment(name)}`, field: former, how: "drift" }],
    tickets: [{ id: otherId, name: venue, price: 1, published: true, sold: 1, remaining: 1, quantity: 2 }],
    sold: 1,
    remaining: 1,
    quantity: 2,
    capacity: 2,
    capacityUsed: 0.5,
    orders: 1,
    gross: 1,
    commission: 0.07,
    net: 0.93,
    series: key,
    soldOut: false,
    daysToGo: 3,
  });
  return {
    formatVersion: 1,
    target: { environment: `prod${name}`, baseUrl: url, organization: { id: venueId, slug: venue } },
    createdAt: "2027-01-10T02:00:00.000Z",
    events: [event("a"), event("b")],
    archived: 0,
    diagnostics: [{ code: "X", severity: "warning", message, hint }],
    totals: { events: 2, sold: 2, remaining: 2, quantity: 4, gross: 2, commission: 0.14, net: 1.86 },
    series: [],
    timezone: "Asia/Manila",
  };
}

const all = (text: string): Texts => ({ name: text, venue: text, former: text, hint: text, message: text, url: text });

describe("in the comment on a pull request", () => {
  test.each([
    ["a link between two spans", "`[evil](https://evil.example)`"],
    ["a picture after a span", "`a`![evil](https://evil.example/i.png)"],
    ["a mention after a span", "`a`@evil"],
    ["a mention after two backticks", "``@evil`"],
    ["a link before a span", "[evil](https://evil.example)`a`"],
    ["more backticks than a parser counts", `${"`".repeat(90)}[evil](https://evil.example)`],
    ["a bar after a backslash", "a\\|[evil](https://evil.example)`"],
    ["a merge request, a milestone and an epic of another host", "!12 %12 &12 club&12"],
    ["a sign by its name or its number", "&commat;evil &#64;evil &lt;b&gt; &#x40;evil"],
    ["a line of its own", "\n\n# evil\n\n@evil"],
  ])("%s does not act", (_, text) => {
    expect(actingParts(renderPlanMarkdown(planWith(all(text))))).toEqual([]);
    expect(actingParts(renderStatusMarkdown(statusWith(all(text))))).toEqual([]);
  });

  test("no text acts, whatever it is made of", () => {
    fc.assert(
      fc.property(texts, (hostile) => {
        expect(actingParts(renderPlanMarkdown(planWith(hostile)))).toEqual([]);
        expect(actingParts(renderStatusMarkdown(statusWith(hostile)))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("two values side by side are two pieces of code", () => {
    const said = renderPlanMarkdown(planWith({ ...all("Hall"), hint: "`a`@you", message: "Ask `one``two`." }));
    expect(said).toContain("`a` `@you`");
    expect(said).toContain("Ask `one` `two`.");
  });

  test("the check itself sees what acts", () => {
    for (const text of ["@evil", "[a](b)", "![a](b)", "www.evil.example", "<b>", "#12", "a@evil.example", "> a"]) {
      expect(actingParts(text), text).not.toEqual([]);
    }
  });
});
