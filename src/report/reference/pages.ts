// The pages of docs/reference, as Markdown. `npm run reference` writes them, and a test fails when they are out of date.
import type { DocumentName } from "../../kinds/json-schema.ts";
import { families } from "./catalog.ts";
import { codeMarkdown } from "./explain.ts";
import { type FieldGroup, fieldGroups, type SchemaOf } from "./fields.ts";

const generated = "<!-- Written by `npm run reference` from the source: edit that, not this page. -->";

const documentIntros: Readonly<Record<DocumentName, { readonly title: string; readonly intro: string }>> = {
  event: {
    title: "Fields of an event",
    intro:
      "One YAML document in `events/` is one event, or with `series` one per date. A field that is left out is not managed; `null` clears an optional one. A list that is left out is not managed; a list that is there is complete. What is required may also come from a [template](template.md) or from `defaults` in [ticketing.yaml](project.md), and may be left out beside an `id`.",
  },
  template: {
    title: "Fields of a template",
    intro:
      "A file in `templates/` holds a part of an [event](event.md) that others extend. Nothing is required of the template itself.",
  },
  webhooks: {
    title: "Fields of a webhook",
    intro: "`webhooks.yaml` holds a list; each entry is one webhook.",
  },
  project: {
    title: "Fields of ticketing.yaml",
    intro: "The project file. Without it the defaults hold.",
  },
};

/** The page of all fields of a document. */
export function fieldPage(document: DocumentName, schemaOf: SchemaOf): string {
  const { title, intro } = documentIntros[document];
  const groups = fieldGroups(document, schemaOf).flatMap((group) => groupLines(group));
  const explain = `\`ticketing explain ${document}.FIELD\` prints an entry of this page.`;
  return [generated, `# ${title}`, "", intro, explain, "", ...groups].join("\n");
}

function groupLines({ path, title, description, fields, likeEvent }: FieldGroup): readonly string[] {
  const heading = path === "" ? [] : [`## \`${path}\``, "", [title, description].filter(Boolean).join(": "), ""];
  const like = likeEvent
    ? [`${fields.length === 0 ? "It has" : "Besides these, it has"} fields of an [event](event.md).`, ""]
    : [];
  if (fields.length === 0) return [...heading, ...like];
  const rows = fields.map(({ path: at, type, required, description: text, values, example }) => {
    const choices = values.map(({ value, meaning }) => `<br>\`${value}\`${meaning === "" ? "" : `: ${meaning}`}`);
    const name = at.slice(path === "" ? 0 : path.length + 1);
    const cells = [
      `\`${name}\``,
      type,
      required ? "yes" : "",
      text + choices.join(""),
      example === null ? "" : `\`${example}\``,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [...heading, "| Field | Type | Required | Meaning | Example |", "|---|---|---|---|---|", ...rows, "", ...like];
}

const codeIntro = `# Codes

Every message shows its code in brackets: \`error[missing-key]\`. \`ticketing explain CODE\` prints its entry of this page, \`ticketing explain\` lists all.

| Level | What it does |
|---|---|
| error | stops the command; a call that failed |
| warning | is shown; \`validate --strict\` stops |
| notice | is shown for information; by \`validate\` only with \`--verbose\` |
| rule | blocks a change; nothing overrides it, because the service would refuse |
| risk | blocks a change until somebody accepts it: the service would do it, and people would be hurt |

## Silencing a remark

If a remark is wrong about one object, silence it there: on an event, on an entry of one of its lists, or on a webhook.
On an event it also applies to its lists:

\`\`\`yaml
tickets:
  - name: Corporate box
    price: 120000
    quantity: 4
    maximumPurchaseQuantity: 4
    published: true
    ignore: [price-looks-like-centavos]
\`\`\`

\`ticketing import\` writes such a line if live data breaks a rule, so that its files pass \`validate --strict\`.

You cannot silence mistakes that make a file unreadable or unsendable, such as a price that is not a number, another currency or an
unknown field, nor those that are not about an object. A code in \`ignore\` that silences nothing is reported
(\`unknown-code\`).

## Accepting a risk

A risky change is blocked until its code is accepted: in \`allow\` of the event or of \`ticketing.yaml\`, reviewed like any other line, or for one run with \`--allow CODE\`.
An entry is a code, or a map that ends by itself. In \`ticketing.yaml\` it may be about one event, by its key; also one whose file the same pull request deletes.

\`\`\`yaml
allow:
  - price-change-with-sales
  - { risk: delete-event, event: gala, until: 2026-12-01, why: The venue is closed }
\`\`\`

\`until\` is the last day on which it counts, in the time zone of \`defaults\` (else Asia/Manila); after it the plan says that the entry is void. An entry in an event's own file has no \`event\`.
\`older-than-applied\`, \`diverged-from-applied\` and \`unjudged-deletions\` are about a single run: only \`--allow\` accepts them.

The lines of each example belong to an event that is otherwise correct.
`;

/** The page of all codes. */
export function codePage(): string {
  const lines = families.flatMap(({ title, entries }) => [
    `## ${title}`,
    "",
    ...Object.entries(entries).flatMap(([code, entry]) => codeMarkdown({ code, family: title, entry }, 3)),
  ]);
  const index = families.flatMap(({ title, entries }) => [
    `- ${title}: ${Object.keys(entries)
      .map((code) => `[\`${code}\`](#${code.toLowerCase()})`)
      .join(", ")}`,
  ]);
  return [generated, codeIntro, ...index, "", ...lines].join("\n").trimEnd().concat("\n");
}
