import { expect, test } from "vitest";
import { renderPlanMarkdown } from "../../../src/report/formats/plan-markdown.ts";
import { codeBlock, codeSpan, escapeProse } from "../../../src/report/text/markdown.ts";
import { change, edit, edited, hostile, plan, season } from "../../stage/plan-samples.ts";

/** What is left of Markdown when code is taken away: the part that can act. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)(`{3,}).*\n[\s\S]*?^\1\2$/gm, "").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

test("nothing of hostile text is left outside code", () => {
  const rest = withoutCode(renderPlanMarkdown(hostile)).replace(/<\/?(details|summary|code|br)( open)?>|&[#\w]+;/g, "");
  expect(rest).not.toMatch(/<|@|#\d|https?:|::error|\]\(/);
});

test("the sum comes before the details", () => {
  const said = renderPlanMarkdown(edited);
  expect(said.slice(0, said.indexOf("<details"))).toContain("3 blocked: apply will refuse this plan.");
});

test("what is blocked lies open, the rest is folded", () => {
  const said = renderPlanMarkdown(edited);
  expect(said).toMatch(/<details open>\n<summary><code>!<\/code> <code>Jazz Night/);
  expect(said).toMatch(/<details>\n<summary><code>~<\/code> <code>Closing Party/);
});

test("a plan of any size fits into a comment and says what is missing", () => {
  const changes = Array.from({ length: 3000 }, (_, index) =>
    change("event", `events/event-${index}`, {
      edits: [edit("name", `Before ${index}`, `After ${index} ${"x".repeat(200)}`)],
      blockedBy: index === 2999 ? [{ code: "protected", message: "It is protected.", hint: "Remove it." }] : [],
    }),
  );
  const said = renderPlanMarkdown(plan({ changes, summary: { update: 3000, blocked: 1 } }));
  expect(said.length).toBeLessThanOrEqual(60_000);
  expect(said.length).toBeGreaterThan(50_000);
  expect(said).toMatch(
    /\*\*This is not the whole plan:\*\* \d+ parts are shortened or left out here\. `plan --format html` writes all of it\./,
  );
  // What needs a person is the last to be left out.
  expect(said).toContain("It is protected.");
  expect(said.match(/<details/g)).toHaveLength(said.match(/<\/details>/g)?.length ?? 0);
});

test("thousands of new events fit as well, and point to where all of them are", () => {
  const said = renderPlanMarkdown(season);
  expect(said.length).toBeLessThan(60_000);
  expect(said).toContain("and 4,930 more: --verbose and --format html show them");
});

test("one event too long for a comment is still named", () => {
  const long = change("event", "events/x", {
    edits: [edit("description", "a", Array.from({ length: 9000 }, (_, at) => `line ${at}`).join("\n"))],
  });
  const said = renderPlanMarkdown(plan({ changes: [long], summary: { update: 1 } }));
  expect(said.length).toBeLessThanOrEqual(60_000);
  expect(said).toContain("- `~` `x` (`events/x`): change");
});

test("code is set off by more backticks than it holds", () => {
  expect(codeSpan("a")).toBe("`a`");
  expect(codeSpan("a`b")).toBe("``a`b``");
  expect(codeSpan("`a`")).toBe("`` `a` ``");
  expect(codeBlock(["````"], "diff")).toEqual(["`````diff", "````", "`````"]);
});

test("a sentence keeps its words, and anything more becomes code", () => {
  expect(escapeProse('The price of "VIP" would change: pass --allow x, or `allow: [x]`.')).toBe(
    'The price of "VIP" would change: pass --allow x, or `allow: [x]`.',
  );
  expect(escapeProse("see @you, #1, <b>, *x*, a_b, :tada:, www.x.y, http://x, GH-1 and 0123abcd")).toBe(
    "see `@you`, `#1`, `<b>`, `*x*`, `a_b`, `:tada:`, `www.x.y`, `http://x`, `GH-1` and `0123abcd`",
  );
  expect(escapeProse("It is down (request 9fecedc2-83ea). See f(@x)")).toBe(
    "It is down (request `9fecedc2-83ea`). See `f(@x)`",
  );
  expect(escapeProse("odd ` tick")).toBe("odd `` ` `` tick");
});
