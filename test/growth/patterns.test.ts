// Every regular expression of the program is run over hostile text: none may take time that grows faster than the text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";

const root = fileURLToPath(new URL("../../src", import.meta.url));

interface Pattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

interface Found {
  readonly patterns: readonly Pattern[];
  /** Patterns that are put together at run time, which no test can read. */
  readonly made: readonly string[];
}

function findPatterns(): Found {
  const patterns: Pattern[] = [];
  const made: string[] = [];
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    const place = (start: number) => `${file}:${text.slice(0, start).split("\n").length}`;
    walk(parseAst(text, { lang: "ts" }), (node) => {
      if (node.regex !== undefined) {
        patterns.push({ place: place(node.start), source: node.regex.pattern, flags: node.regex.flags });
      }
      if (node.callee?.name === "RegExp") made.push(place(node.start));
    });
  }
  return { patterns, made };
}

interface SyntaxNode {
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node as SyntaxNode);
  for (const part of Object.values(node)) walk(part, visit);
}

const common = [..." \t\naA0-/:<>@.\"'`\\$*#=_“é", "${", "a.", "a@", "a ", ": ", "://", '\\"', "<!--", "%2F", "\ud800"];

/** What a pattern is likely to stumble over: its own words and signs. */
function ownPieces(source: string): string[] {
  const plain = source.replace(/\\([dwsbDWSBnrtpPu])(?:\{[^}]*\})?/g, " ").replace(/\\(.)/g, "$1");
  const words = plain.match(/[A-Za-z0-9]{2,}|[^A-Za-z0-9\s]{2,}/g) ?? [];
  const pieces = words.flatMap((word) => [word, `${word} `]);
  return [...new Set([...pieces.slice(0, 12), ...plain.replace(/[A-Za-z0-9\s]/g, "")])].slice(0, 20);
}

function milliseconds(pattern: RegExp, text: string, enough = noise): number {
  // Most take no time at all, which a clock shows sooner than the processor's own count.
  const began = performance.now();
  text.replace(pattern, "");
  let best = performance.now() - began;
  // The time of the processor, so that others on the machine do not count; the best of a few, so that a pause does not.
  for (let run = 0; run < 2 && best > enough; run += 1) {
    const before = process.cpuUsage();
    text.replace(pattern, "");
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const noise = 0.2;
const short = 2000;

/** A text of about so many characters over which a pattern takes more time than its length explains; null: none was found. */
function findStumble({ source, flags }: Pattern): string | null {
  const pattern = new RegExp(source, `${flags.replace(/[gy]/g, "")}g`);
  const own = ownPieces(source);
  const pieces = [...new Set([...common, ...own])];
  const starts = [...new Set(["", "a", "a:", "x ", "- ", '"', "“a", "<p>", "</p>", "https://", ...own.slice(0, 8)])];
  for (const start of starts) {
    for (const piece of pieces) {
      for (const end of ["\u0001", "\u0001a"]) {
        const hostile = (length: number) => `${start}${piece.repeat(Math.ceil(length / piece.length))}${end}`;
        // A pattern whose time doubles with every character must not be asked about a long text at all.
        if (milliseconds(pattern, hostile(22)) > 5) return JSON.stringify(hostile(22));
        const time = milliseconds(pattern, hostile(short));
        if (time <= noise) continue;
        // Eight times the text: eight times the time where it is linear, sixty-four where it is not.
        const limit = Math.max(4, time * 24);
        if (milliseconds(pattern, hostile(short * 8), limit) > limit) return JSON.stringify([start, piece, end, time]);
      }
    }
  }
  return null;
}

const { patterns, made } = findPatterns();

describe("regular expressions", () => {
  test("are found in the sources", () => {
    expect(patterns.length).toBeGreaterThan(200);
  });

  test("are not put together at run time, where nothing could check them", () => {
    expect(made).toEqual([]);
  });

  test("take time in proportion to the text, however hostile it is", () => {
    // Without a repetition that has no end, no pattern can go over a text more than a few times.
    const endless = patterns.filter(({ source }) => /[^\\][*+]|,\}/.test(source));
    const seen = new Map(endless.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    const stumbling = [...seen].flatMap(([text, pattern]) => {
      const stumble = findStumble(pattern);
      return stumble === null ? [] : [`${pattern.place} ${text} ${stumble}`];
    });
    expect(stumbling).toEqual([]);
  }, 300_000);

  test("and the check itself finds those that do not", () => {
    const bad = ["\\s+$", "(a+)+$", "\\/+$", "\\b[a-z][a-z0-9+.-]*:\\/\\/", "<!--[\\s\\S]*?-->", "^\\s*(.*?)\\s*$"];
    for (const source of bad) expect(findStumble({ place: "", source, flags: "" }), source).not.toBeNull();
  });
});
