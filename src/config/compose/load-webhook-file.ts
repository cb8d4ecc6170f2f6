import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { assignAddresses } from "../check/address-problems.ts";
import { checkKind } from "../check/check.ts";
import { reportSlips } from "../check/value-slip.ts";
import { fileError } from "../files/read-text.ts";
import type { Located, LocatedMap } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { interpolateObject } from "./compose-document.ts";
import { decode, objectName } from "./decode.ts";
import { type Allowance, allowanceOfFile, type Variables } from "./variables.ts";

const kind = kindOf("webhook");

/** The webhooks of one file: a list. `urlCounts` counts across files. */
export async function loadWebhookFile(
  file: string,
  text: string,
  variables: Variables,
  urlCounts: Map<string, number>,
  problems: Diagnostic[],
): Promise<Wish[]> {
  const before = problems.length;
  const documents = readYaml(file, text, problems);
  if (documents.length === 0 && problems.length === before) {
    const hint = "Put [] in it if there should be no webhooks, or remove the file.";
    problems.push(fileError("empty-file", file, "is empty", hint));
  }
  const wishes: Wish[] = [];
  const allowance = allowanceOfFile();
  for (const document of documents) {
    const { content } = document;
    if (content === null) continue;
    reportSlips(document, kind.schema, problems);
    if (content.type !== "list") {
      problems.push(notAList(content));
      continue;
    }
    for (const item of content.items) {
      if (item.type === "map") wishes.push(loadWebhook(item, variables, urlCounts, problems, allowance));
      else problems.push(notAWebhook(item));
    }
  }
  return wishes;
}

function loadWebhook(
  item: LocatedMap,
  variables: Variables,
  urlCounts: Map<string, number>,
  problems: Diagnostic[],
  allowance: Allowance,
): Wish {
  const before = problems.length;
  const map = interpolateObject(kind, item, variables, problems, allowance);
  const { bad, meant } = checkKind(kind, map, problems);
  const url = objectName(kind, map, { bad });
  const nth = (urlCounts.get(url) ?? 0) + 1;
  urlCounts.set(url, nth);
  const address = makeAddress(null, kind.plural, url, nth);
  const context = { bad, meant, zone: null, calendar: null, problems, calendarMissing: false, anchors: {} };
  const wish = decode(kind, map, { address, parent: null, name: url }, context);
  // A webhook without a url has no address to speak of.
  if (url !== "") assignAddresses(problems, { before, read: before, own: before }, wish, map);
  return wish;
}

function notAList(content: Located): Diagnostic {
  const { source } = content;
  const isWrapped = content.type === "map" && [...content.entries.values()].every(({ value }) => value.type === "list");
  const hint = `${isWrapped ? "Remove the line above the list, such as `webhooks:`: the file is only the list. " : ""}Start each webhook with a dash at the beginning of a line: \`- url: https://…\`.`;
  return errorAt("wrong-type", source, "A list of webhooks is expected here.", hint);
}

function notAWebhook({ source }: Located): Diagnostic {
  const hint = "Write an entry such as `- { url: https://…, events: [order.completed] }`.";
  return errorAt("wrong-type", source, "A webhook with its fields is expected here.", hint);
}
