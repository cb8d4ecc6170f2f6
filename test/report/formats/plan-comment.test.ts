// The comment on a pull request, as people read it once a real renderer has made a page of it.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import type { Facts } from "../../../src/kinds/define.ts";
import { noWithdrawal } from "../../../src/kinds/rules/ticket-rules.ts";
import { errorOf, withOption } from "../../../src/model/diagnostic.ts";
import { planErrors } from "../../../src/model/plan.ts";
import { tooManyDeletes } from "../../../src/plan/rules/delete-limit.ts";
import { renderPlanComment } from "../../../src/report/comment.ts";
import { broken, change, edit, empty, plan, sets } from "../../stage/plan-samples.ts";
import { commentInput, many, mixed } from "./comment-samples.ts";

const page = (markdown: string) =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
const unfolded = (markdown: string) => markdown.slice(0, markdown.indexOf("<details>"));

describe("what a promoter must know", () => {
  const comment = renderPlanComment(commentInput(mixed));

  test("is unfolded, blocked first, then what goes, then what is on sale", () => {
    const items = unfolded(comment)
      .split("\n")
      .filter((line) => line.startsWith("- "));
    expect(items).toEqual([
      "- **Blocked:** GA of Manila Nights: ₱1,500 → ₱1,800, 37 sold ([`events/manila-nights.yaml:12`](https://github.example/acme/events/blob/cccccccccccccccccccccccccccccccccccccccc/shows/events/manila-nights.yaml#L12))",
      "- Gala: delete",
      "- Comedy Friday: new on Fri 2 Apr 2027 20:00 Asia/Manila (12:00Z) with 2 ticket types, then publish ([`events/comedy.yaml:1`](https://github.example/acme/events/blob/cccccccccccccccccccccccccccccccccccccccc/shows/events/comedy.yaml#L1))",
      "- Jazz Night: eventCapacity 300 → 350 ([`events/jazz.yaml:4`](https://github.example/acme/events/blob/cccccccccccccccccccccccccccccccccccccccc/shows/events/jazz.yaml#L4))",
    ]);
  });

  test("a fix is YAML to add, and no flag is spoken of", () => {
    expect(page(comment)).toContain(
      '<code class="language-yaml">allow:\n  - risk: price-change-with-sales # GA of Manila Nights\n    until: 2027-01-24\n    why: …\n</code>',
    );
    expect(comment).not.toMatch(/--[a-z]/);
  });

  test("revisions, time and run are linked", () => {
    expect(comment).toContain(
      "Planned for commit [`ccccccc`](https://github.example/acme/events/commit/cccccccccccccccccccccccccccccccccccccccc) as it will be once merged into `main` at [`ddddddd`]",
    );
    expect(comment).toMatch(
      / Asia\/Manila \(\d\d:\d\dZ\), in this \[run\]\(https:\/\/github\.example\/acme\/events\/actions\/runs\/42\)\./,
    );
  });
});

test("links lead to GitLab's own places", () => {
  const { place } = commentInput(mixed);
  const comment = renderPlanComment(commentInput(mixed, { place: place && { ...place, host: "gitlab" } }));
  expect(comment).toContain("/acme/events/-/blob/");
  expect(comment).toContain("/acme/events/-/commit/");
});

test("what is merged and waits, and what is held, is in separate boxes", () => {
  const of = plan({
    changes: [
      change("event", "events/a", {
        edits: [edit("eventCapacity", 1, 2, { origin: "unapplied", digest: "aaaaaaaaaaaa" })],
        context: { name: "A" },
      }),
      change("event", "events/b", {
        edits: [edit("eventCapacity", 1, 2, { origin: "edit", digest: "bbbbbbbbbbbb" })],
        context: { name: "B" },
      }),
      change("event", "events/c", {
        edits: [edit("eventCapacity", 1, 2, { origin: "drift", digest: "cccccccccccc" })],
        context: { name: "C" },
      }),
    ],
  });
  const comment = unfolded(renderPlanComment(commentInput(of, { held: new Set(["bbbbbbbbbbbb"]) })));
  expect(comment).toContain("> **Already merged and waiting:** 1 change");
  expect(comment).toContain("> - A: eventCapacity 1 → 2");
  expect(comment).toContain("> **Held and waiting:** 1 change");
  expect(comment).toContain("> - B: eventCapacity 1 → 2");
  expect(comment).toContain("\n- C: eventCapacity 1 → 2 (changed on the service; apply changes it back)");
});

test("a status that somebody changed on the service is said to be so, also beside what the branch changes", () => {
  const transition = { from: "DRAFT", to: "PUBLISHED" } as const;
  const edits = [edit("eventCapacity", 1, 2, { origin: "edit" })];
  const of = change("event", "events/a", { edits, transition, origin: "drift", context: { name: "A" } });
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: [of] }))));
  expect(comment).toContain("\n- A: eventCapacity 1 → 2; publish (changed on the service; apply changes it back)");
});

test("of one object, what the branch changes is not in the boxes, and is fixed where it is blocked", () => {
  const blockedBy = [{ code: "price-change-with-sales", message: "The price would change.", hint: "" } as const];
  const edits = [
    edit("price", 1500, 1800, { origin: "edit", digest: "aaaaaaaaaaaa" }),
    edit("quantity", 500, 600, { origin: "unapplied", digest: "bbbbbbbbbbbb" }),
    edit("section", "A", "B", { origin: "unapplied", digest: "cccccccccccc" }),
  ];
  const of = change("ticket", "events/a/tickets/GA", { edits, blockedBy, context: { name: "GA", eventName: "A" } });
  const held = new Set(["cccccccccccc"]);
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: [of] }), { held })));
  expect(comment).toMatch(/\n- \*\*Blocked:\*\* GA of A: ₱1,500 → ₱1,800\n/);
  expect(comment).toContain("- risk: price-change-with-sales # GA of A");
  expect(comment).toContain("> - **Blocked:** GA of A: quantity 500 → 600 (`price-change-with-sales`)");
  expect(comment).toContain('> - **Blocked:** GA of A: section "A" → "B" (`price-change-with-sales`)');
});

test("what is on the service already is not called new", () => {
  const transition = { from: "DRAFT", to: "PUBLISHED" } as const;
  const already = [change("event", "events/a", { action: "create", transition, context: { name: "A" } })];
  const comment = renderPlanComment(commentInput({ ...plan({}), already }));
  expect(comment).toContain("changes this first.\n>\n> - A: on the service already");
  expect(comment).not.toContain("new");
});

test("a new ticket type of a live event says what it costs, and whether it is on sale at once", () => {
  const edits = [edit("name", null, "VIP"), edit("price", null, 5000), edit("published", null, true)];
  const linesFor = (status: "DRAFT" | "PUBLISHED", ...more: ReturnType<typeof edit>[]) => {
    const context = { name: "VIP", eventName: "A", status };
    const of = { action: "create", edits: [...edits, ...more], context } as const;
    const changes = [change("ticket", "events/a/tickets/VIP", of)];
    return unfolded(renderPlanComment(commentInput(plan({ changes }))));
  };
  expect(linesFor("PUBLISHED")).toContain("\n- VIP of A: new ticket type (₱5,000, on sale)");
  expect(linesFor("DRAFT")).toContain("\n- VIP of A: new ticket type (₱5,000)");
  const soldOut = edit("soldOut", null, true);
  expect(linesFor("PUBLISHED", soldOut)).toContain("\n- VIP of A: new ticket type (₱5,000, sold out)");
});

test("a value that nothing shows is not called none", () => {
  const edits = [edit("price", null, 15, { unreadable: true }), edit("section", null, "B")];
  const tickets = [change("ticket", "events/a/tickets/GA", { edits, context: { name: "GA", eventName: "A" } })];
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: tickets }))));
  expect(comment).toContain('\n- GA of A: price not shown by the service → ₱15; section none → "B"');
});

test("nobody is told that a blocked change will be undone", () => {
  const blockedBy = [{ code: "archived-is-final", message: "It is archived.", hint: "" } as const];
  const edits = [edit("eventCapacity", 1, 2, { origin: "drift" })];
  const blocked = plan({ changes: [change("event", "events/d", { edits, blockedBy, context: { name: "D" } })] });
  const comment = renderPlanComment(commentInput(blocked));
  expect(comment).toContain("D: eventCapacity 1 → 2 (changed on the service)");
  expect(comment).not.toContain("apply changes it back");
});

test("what a merge permits from then on is unfolded, even if nothing else changes", () => {
  const message = "This changes the safeguards of this environment: `maxDeletes` is 500, was 5.";
  const comment = renderPlanComment(
    commentInput(plan({ diagnostics: [{ code: "guards-changed", severity: "info", message }] })),
  );
  expect(unfolded(comment)).toContain("`maxDeletes` is 500, was 5.");
});

test("what will be held because the comment has no room for it is unfolded", () => {
  const message = "The comment can list 2,300 events as reviewed, and the plan has 1 more.";
  const comment = renderPlanComment(
    commentInput(plan({ diagnostics: [{ code: "unreviewed", severity: "warning", message }] })),
  );
  expect(unfolded(comment)).toContain(message);
});

test("what a merge overwrites of what somebody changed on the service is unfolded, once, and so is how many more there are", () => {
  const diagnostics = Array.from({ length: 12 }, (_, at) => {
    return { code: "overwrites-a-change", severity: "warning", message: `Somebody changed event ${at}.` } as const;
  });
  const comment = renderPlanComment(commentInput(plan({ diagnostics })));
  expect(unfolded(comment).match(/Somebody changed event \d+/g)).toEqual(
    [0, 1].map((at) => `Somebody changed event ${at}`),
  );
  expect(unfolded(comment)).toContain("10 more like this.");
  expect(comment.match(/Somebody changed event|more like this/g)).toHaveLength(3);
});

test("that the apply after the merge will be refused is unfolded", () => {
  const message = "The base does not contain what was applied last.";
  const comment = renderPlanComment(
    commentInput(plan({ diagnostics: [{ code: "diverged-from-applied", severity: "warning", message }] })),
  );
  expect(unfolded(comment)).toContain(message);
});

test("a message that lists events in lines is one sentence", () => {
  const message = "It is unclear which this file describes:\n  one · Gala\n  two · Ball";
  const blockedBy = [{ code: "ambiguous-event", message, hint: "Add `id`." } as const];
  const comment = renderPlanComment(commentInput(plan({ changes: [change("event", "events/d", { blockedBy })] })));
  expect(comment).toContain(
    "`ambiguous-event`: It is unclear which this file describes: one · Gala; two · Ball.\n\n  **fix:**",
  );
});

test("what is blocked, and what waits for it, is marked in the list and in the box of merges", () => {
  const block = { code: "reschedule-with-sales", message: "The start would move.", hint: "" } as const;
  const inEvent = (key: string, origin: "edit" | "unapplied") => [
    change("event", `events/${key}`, {
      edits: [edit("eventCapacity", 1, 2, { origin })],
      blockedBy: [block],
      context: { name: key, sold: 3 },
    }),
    change("schedule", `events/${key}/schedules/Doors`, {
      edits: [edit("icon", "a", "b", { origin })],
      heldBack: "change",
      context: { name: "Doors", eventName: key },
    }),
  ];
  const comment = unfolded(
    renderPlanComment(commentInput(plan({ changes: [...inEvent("own", "edit"), ...inEvent("late", "unapplied")] }))),
  );
  expect(comment).toContain("\n- **Blocked:** own: eventCapacity 1 → 2, 3 sold");
  expect(comment).toContain('\n- **Waits for a blocked change:** schedule entry Doors of own: icon "a" → "b"');
  expect(comment).toContain(
    "> **Already merged and waiting:** 2 changes, to be applied together with this branch, except what is blocked.",
  );
  expect(comment).toContain("> - **Blocked:** late: eventCapacity 1 → 2, 3 sold (`reschedule-with-sales`)");
  expect(comment).toContain('> - **Waits for a blocked change:** schedule entry Doors of late: icon "a" → "b"');
});

test("a risk is accepted for its event alone, even where a template holds the value, and after what else helps", () => {
  const of = plan({
    changes: [
      change("ticket", "events/gig/tickets/GA", {
        edits: [edit("price", 500, 600)],
        blockedBy: [
          {
            code: "price-change-with-sales",
            message: "The price would change.",
            hint: "Ask first. Or pass --allow.",
            plainHint: "Ask first.",
          },
        ],
        source: { file: "templates/club.yaml", line: 4, column: 5 },
        context: { name: "GA", eventName: "Gig" },
      }),
    ],
  });
  const lines = [
    "**fix:** Ask first. If this is intended, add to `ticketing.yaml`:",
    "```yaml",
    "allow:",
    "  - risk: price-change-with-sales # GA of Gig",
    "    event: gig",
  ];
  expect(renderPlanComment(commentInput(of))).toContain(lines.join("\n  "));
});

test("one line about several files has one list that accepts all of it, in the project file", () => {
  const raised = ["a", "b", "c"].map((key) =>
    change("ticket", `events/${key}/tickets/GA`, {
      edits: [edit("price", 500, 600)],
      blockedBy: [{ code: "price-change-with-sales", message: "The price would change.", hint: "" }],
      source: { file: `events/${key}.yaml`, line: 4, column: 5 },
      context: { name: "GA", eventName: key },
    }),
  );
  const entries = ["a", "b", "c"].flatMap((key) => [
    `    - risk: price-change-with-sales # GA of ${key}`,
    `      event: ${key}`,
    "      until: 2027-01-24",
    "      why: …",
  ]);
  const shown = unfolded(renderPlanComment(commentInput(plan({ changes: raised }))));
  expect(shown).toContain("- **Blocked:** 3 ticket types: ₱500 → ₱600 (GA of a, GA of b, GA of c)");
  expect(shown).toContain(
    ["**fix:** add to `ticketing.yaml`:", "  ```yaml", "  allow:", ...entries, "  ```"].join("\n"),
  );
});

test("a file has one block with all that it is to accept, and with what it accepts already", () => {
  const source = { file: "events/gig.yaml", line: 4, column: 5 };
  const blocked = (code: "price-change-with-sales" | "reschedule-with-sales", address: string) =>
    change(address.includes("/tickets/") ? "ticket" : "event", address, {
      blockedBy: [{ code, message: "It would change.", hint: "" }],
      source,
    });
  const of = plan({
    changes: [
      blocked("reschedule-with-sales", "events/gig"),
      blocked("price-change-with-sales", "events/gig/tickets/GA"),
      blocked("price-change-with-sales", "events/gig/tickets/VIP"),
    ],
  });
  const added = ["reschedule-with-sales # gig", "price-change-with-sales # GA of gig, VIP of gig"].flatMap((code) => [
    `    - risk: ${code}`,
    "      until: 2027-01-24",
    "      why: …",
  ]);
  const shown = unfolded(renderPlanComment(commentInput(of)));
  expect(shown).toContain(
    ["**fix:** add to `events/gig.yaml`:", "  ```yaml", "  allow:", ...added, "  ```"].join("\n"),
  );
  expect(shown.split("the list for `events/gig.yaml` above accepts this risk, too.")).toHaveLength(3);
  const allowed = new Map([["events/gig.yaml", [{ risk: "archive-with-sales", why: "It: rains" }]]]);
  const kept = ["    - risk: archive-with-sales", '      why: "It: rains"'];
  expect(unfolded(renderPlanComment(commentInput(of, { allowed })))).toContain(
    ["replace `allow` in `events/gig.yaml` with:", "  ```yaml", "  allow:", ...kept, ...added, "  ```"].join("\n"),
  );
});

test("venues are shown by their names, and events alike by whether buyers see them", () => {
  const [from, to] = ["5a9db0c0-7e1d-4b0e-8f00-000000000005", "5a9db0c0-7e1d-4b0e-8f00-000000000014"];
  const names = {
    [from]: "Riverside Music Hall, Manila, Metro Manila, Philippines",
    [to]: "Foundry Hall, Pasig, Metro Manila, Philippines",
  };
  const moves = (key: string, status: "DRAFT" | "PUBLISHED") =>
    change("event", `events/${key}`, {
      edits: [edit("venueId", from, to)],
      context: { name: key, status, names },
    });
  const drafts = ["a", "b", "c"].map((key) => moves(key, "DRAFT"));
  const published = ["d", "e", "f"].map((key) => moves(key, "PUBLISHED"));
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: [...drafts, ...published] }))));
  const move =
    "venueId Riverside Music Hall, Manila, Metro Manila, Philippines → Foundry Hall, Pasig, Metro Manila, Philippines";
  expect(comment).toContain(`- 3 events, currently published: ${move} (d, e, f)`);
  expect(comment).toContain(`- 3 events: ${move} (a, b, c)`);
});

test("an ampersand between words is one of them; one that could be a sign or a reference is not", () => {
  const named = (name: string) =>
    unfolded(
      renderPlanComment(
        commentInput(
          plan({ changes: [change("event", "events/a", { edits: [edit("eventCapacity", 1, 2)], context: { name } })] }),
        ),
      ),
    );
  expect(named("Laugh & Swing: R&B, Q&A")).toContain("- Laugh & Swing: R&B, Q&A: eventCapacity");
  expect(named("Tom &lt; Ana &#64;x club&12")).toContain("- Tom `&lt`; Ana `&#64;x` `club&12`: eventCapacity");
});

test("a plan that failed says so, with the errors and their lines", () => {
  const comment = renderPlanComment(commentInput(broken));
  expect(comment).toMatch(/\*\*No plan: fix \d+ errors? first\.\*\*/);
  expect(unfolded(comment)).toContain("- **error**`[");
  expect(comment).toMatch(/\nChecked commit \S+ against `main` at /);
  expect(comment).not.toContain("Planned");
  for (const { message } of planErrors(broken)) expect(comment.split(message.slice(0, 30))).toHaveLength(2);
  expect(comment).not.toContain("Every change and message");
});

test("a plan of which only some deletions are undecided is a plan: the rest is applied after the merge", () => {
  const diagnostics = [errorOf("unjudged-deletions", "1 event is still live.", "Set its status.")];
  const changes = [change("event", "events/a", { edits: [edit("eventCapacity", 1, 2)], context: { name: "A" } })];
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes, diagnostics }))));
  expect(comment).toContain("1 event is still live.");
  expect(comment).toMatch(/\nPlanned for commit /);
  expect(comment).not.toContain("No plan");
  expect(renderPlanComment(commentInput(plan({ diagnostics })))).toContain("**No plan: fix 1 error first.**");
});

test("errors that the list on top cuts off are below, with the other messages", () => {
  const diagnostics = Array.from({ length: 12 }, (_, at) =>
    errorOf("missing-field", `Mistake number ${at}.`, "Fix it."),
  );
  const comment = renderPlanComment(commentInput(plan({ diagnostics })));
  const [top = "", below = ""] = comment.split("<summary>More messages</summary>");
  expect(top).toContain("Mistake number 9.");
  expect(top).toContain("and 2 more errors, below");
  expect(below.match(/Mistake number \d+/g)).toEqual(["Mistake number 10", "Mistake number 11"]);
});

test("every message is shown once, whatever order errors and warnings are in", () => {
  const error = (message: string) => errorOf("missing-field", message, "Fix it.");
  const warning = { code: "vip-cheaper-than-ga", severity: "warning", message: "VIP is odd." } as const;
  const diagnostics = [error("One is missing."), warning, error("Two is missing."), error("Three is missing.")];
  const comment = renderPlanComment(commentInput(plan({ diagnostics })));
  const [, below = ""] = comment.split("<summary>More messages</summary>");
  expect(below).toContain("VIP is odd.");
  for (const message of ["One is missing.", "Two is missing.", "Three is missing.", "VIP is odd."])
    expect(comment.split(message)).toHaveLength(2);
});

/** A date of a series, which is deleted or created. */
function nightOf(day: string, parts: Parameters<typeof change>[2]) {
  return change("event", `events/club@${day}`, { context: { name: "Club", timezone: "Asia/Manila" }, ...parts });
}

test("what is blocked hides nothing that will be done, and one list accepts all of it", () => {
  const days = Array.from({ length: 12 }, (_, at) => `2027-02-${at + 10}`);
  const hint = "Keep it.";
  const gone = days.map((day, at) => {
    const message = at === 0 ? '"Club" would be deleted for good.' : `"Club ${at}" would be deleted for good.`;
    return nightOf(day, { action: "delete", source: null, blockedBy: [{ code: "delete-event", message, hint }] });
  });
  const made = days.map((day, at) =>
    nightOf(day.replace("02-", "04-"), {
      action: "create",
      id: null,
      edits: sets({ name: "Club", dateTime: `${day.replace("02-", "04-")}T12:00:00.000Z` }),
      transition: at < 4 ? { from: null, to: "PUBLISHED" } : null,
    }),
  );
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: [...gone, ...made] }))));
  for (const day of days) expect(comment).toContain(`event: "club@${day}"`);
  expect(comment).toContain("- and 4 more events, blocked as well, below");
  expect(comment).toContain("Club on 4 dates, 2027-04-10 to 2027-04-13: new, then publish");
  expect(comment).toMatch(/Club on 8 dates, 2027-04-14 to 2027-04-21: new( |\n)/);
});

test("new events that are not listed are said to be on the page of the run", () => {
  const made = Array.from({ length: 130 }, (_, at) =>
    change("event", `events/new-${at}`, { action: "create", context: { name: `New ${at}` } }),
  );
  const comment = renderPlanComment(commentInput(plan({ changes: made })));
  expect(comment).toContain("- and 60 more: the page plan.html of this run shows them");
});

test("what is blocked for the same reason is one line", () => {
  const block = tooManyDeletes([], { maxDeletes: 5, events: 20, stated: false, elsewhere: 9 });
  const shows = Array.from({ length: 9 }, (_, at) =>
    change("event", `events/show-${at}`, {
      action: "delete",
      context: { name: `Show ${at}` },
      blockedBy: block === null ? [] : [block],
    }),
  );
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: shows }))));
  expect(comment.match(/too-many-deletes/g)).toHaveLength(1);
  expect(comment).toContain("- **Blocked:** 9 events: delete (Show 0, Show 1, Show 2 and 6 more)");
});

test("a start that moves comes before prices, and a warning is said at its change and in the sum", () => {
  const priced = Array.from({ length: 12 }, (_, at) =>
    change("ticket", `events/show-${at}/tickets/GA`, {
      edits: [edit("price", 1000, 2000 + at, { origin: "edit" })],
      context: { name: "GA", eventName: `Show ${at}`, status: "PUBLISHED" },
    }),
  );
  const moved = change("event", "events/show-0", {
    edits: [edit("dateTime", "2027-03-01T11:00:00.000Z", "2027-03-01T11:30:00.000Z", { origin: "edit" })],
    context: { name: "Show 0", status: "PUBLISHED", timezone: "Asia/Manila" },
  });
  const address = "events/show-0/tickets/GA";
  const warning = { code: "large-price-change", severity: "warning", message: "It doubles.", address } as const;
  const of = plan({ changes: [...priced, moved], diagnostics: [warning], summary: { update: 13 } });
  const lines = unfolded(renderPlanComment(commentInput(of))).split("\n");
  const [first = "", second = ""] = lines.filter((line) => line.startsWith("- "));
  expect(first).toMatch(/^- Show 0: dateTime /);
  expect(second).toBe("- GA of Show 0: ₱1,000 → ₱2,000 **warning:** `large-price-change`");
  expect(lines[2]).toMatch(/\*\* 1 warning, below\.$/);
});

test("the same edit on dates of a series names the series once", () => {
  const changes = ["2027-01-08", "2027-01-15", "2027-01-22"].map((day) =>
    change("ticket", `events/club@${day}/tickets/GA`, {
      edits: [edit("price", 1000, 1200, { origin: "edit" })],
      context: { name: "GA", eventName: "Club", status: "DRAFT" },
    }),
  );
  expect(unfolded(renderPlanComment(commentInput(plan({ changes }))))).toContain(
    "- GA of Club on 3 dates, 2027-01-08 to 2027-01-22 (drafts): ₱1,000 → ₱1,200",
  );
});

test("dates that have names of their own go by their series, not by the name of the first", () => {
  const changes = ["2027-01-08", "2027-01-15", "2027-01-22"].map((day) =>
    change("ticket", `events/club@${day}/tickets/GA`, {
      edits: [edit("price", 1000, 1200, { origin: "edit" })],
      context: { name: "GA", eventName: `Club: DJ ${day}`, status: "DRAFT" },
    }),
  );
  expect(unfolded(renderPlanComment(commentInput(plan({ changes }))))).toContain(
    "- GA of the series club on 3 dates, 2027-01-08 to 2027-01-22 (drafts): ₱1,000 → ₱1,200",
  );
});

test("what is due by time is not taken for an edit of the branch", () => {
  const due = change("ticket", "events/a/tickets/GA", {
    edits: [edit("price", 1200, 1500, { origin: "phase" })],
    context: { name: "GA", eventName: "A" },
  });
  const opens = change("event", "events/a", {
    action: "none",
    origin: "phase",
    transition: { from: "DRAFT", to: "PUBLISHED" },
    context: { name: "A" },
  });
  const comment = unfolded(renderPlanComment(commentInput(plan({ changes: [due, opens] }))));
  expect(comment).toContain("- GA of A: ₱1,200 → ₱1,500 (because of a phase)");
  expect(comment).toContain("- A: publish (because of a phase)");
});

test("risks to accept for a hundred dates fit into the room, however long their names", () => {
  const block = { code: "price-change-with-sales", message: "Some tickets have been sold.", hint: "" } as const;
  const days = Array.from({ length: 100 }, (_, at) => new Date(Date.UTC(2027, 0, 1 + at)).toISOString().slice(0, 10));
  const changes = days.flatMap((day) =>
    ["GA", "VIP", "Box"].map((name) =>
      change("ticket", `events/club@${day}/tickets/${name}`, {
        edits: [edit("price", 1000, 1100, { origin: "edit" })],
        blockedBy: [block],
        context: { name: `${name}, ${"with a drink ".repeat(9)}`, eventName: `Club ${"of the town ".repeat(9)}` },
        source: { file: "events/club.yaml", line: 3, column: 1 },
      }),
    ),
  );
  const comment = renderPlanComment(commentInput(plan({ changes })));
  expect(comment.length).toBeLessThanOrEqual(60_000);
  expect(comment.match(/- risk: price-change-with-sales # GA, /g)).toHaveLength(100);
});

test("no changes are said in a sentence", () => {
  expect(renderPlanComment(commentInput(empty))).toContain("No changes: the service matches the files");
});

describe.each([1, 50, 400])("%i changed events", (events) => {
  const comment = renderPlanComment(commentInput(many(events)));

  test("fit into the room, and say on top if something is cut", () => {
    expect(comment.length).toBeLessThanOrEqual(60_000);
    const isCut = comment.includes("This comment is shortened");
    expect(isCut).toBe(events === 400);
    if (isCut)
      expect(comment.split("\n\n")[1]).toMatch(
        /^> \*\*This comment is shortened:\*\* \d+ of 400 events are cut\. \[The run has the whole plan\]/,
      );
  });

  test("have at most ten lines unfolded, and all tags closed", () => {
    expect(
      unfolded(comment)
        .split("\n")
        .filter((line) => line.startsWith("- ")).length,
    ).toBeLessThanOrEqual(11);
    const html = page(comment);
    expect(html.split("<details").length).toBe(html.split("</details>").length);
  });
});

test("a date of a series is named with its day, and what comes later is shown", () => {
  const address = "events/club@2027-02-12";
  const context = { name: "Club", timezone: "Asia/Manila", status: "PUBLISHED" };
  const transition = { from: "DRAFT", to: "PUBLISHED" } as const;
  const later = {
    at: "2027-01-31T02:00:00.000Z",
    address,
    type: "phase" as const,
    phase: "Announce",
    fields: ["/status"],
  };
  const of = plan({
    changes: [
      change("ticket", `${address}/tickets/GA`, {
        edits: [edit("soldOut", false, true, { origin: "edit", digest: "aaaaaaaaaaaa" })],
        context: { name: "GA", eventName: "Club" },
      }),
    ],
    upcoming: [{ ...later, context, changes: [change("event", address, { action: "none", transition })] }],
  });
  const shown = unfolded(renderPlanComment(commentInput(of)));
  expect(shown).toContain("- GA of Club (2027-02-12): soldOut no → yes");
  expect(shown).toContain('- Later: Sun 31 Jan 2027 10:00 Announce: publish "Club" (2027-02-12)');
});

test("what comes later is never cut within a line, however long or many", () => {
  const address = "events/opera";
  const context = { name: "Opera", timezone: "Asia/Manila", status: "PUBLISHED" } as const;
  const changes = Array.from({ length: 40 }, (_, index) => {
    const edits = [edit("price", 500, 501 + index, { origin: "phase", digest: "aaaaaaaaaaaa" })];
    return change("ticket", `${address}/tickets/T${index}`, { edits, context: { name: `Stalls ${index}` } });
  });
  const later = {
    at: "2027-01-31T02:00:00.000Z",
    type: "phase" as const,
    phase: "Late",
    fields: ["/tickets"],
    context,
  };
  const short = Array.from({ length: 31 }, (_, index) => ({ ...later, address: `events/e${index}` }));
  const comment = renderPlanComment(commentInput(plan({ upcoming: [{ ...later, address, changes }, ...short] })));
  expect(unfolded(comment)).toContain("- Later: 2 more lines, below\n");
  expect(comment).toMatch(/Stalls 0 ₱500 → ₱501; .*; Stalls 39 ₱500 → ₱540 in "Opera"\n/);
  expect(comment.match(/ Late: /g)).toHaveLength(32);
});

test("a hint is given as a whole, with commands and flags of the job, but not what gets past a rule", () => {
  const shallow = errorOf("shallow-clone", "History is missing.", "Fetch it: `git fetch --unshallow`.");
  const unnamed = errorOf("no-default-branch", "It is not known.", "Name it with --merge-into.");
  const unjudged = errorOf("unjudged-deletions", "Two are live.", "Delete them. By hand.", "Or --allow it.");
  const comment = renderPlanComment(commentInput(plan({ diagnostics: [shallow, unnamed, unjudged] })));
  for (const { hint } of [shallow, unnamed]) expect(comment).toContain(`**fix:** ${hint}`);
  expect(comment).toContain("**fix:** Delete them. By hand.\n");
});

test("what a block of one date needs is never written for the whole series, nor into a file that cannot hold it", () => {
  const block = (code: "reschedule-with-sales" | "delete-after-sales", hint: string) => [
    { code, message: "3 are sold.", hint },
  ];
  const moved = change("event", "events/club@2027-02-12", {
    edits: [edit("description", "One.\nTwo.", "One.", { origin: "edit", digest: "aaaaaaaaaaaa" })],
    context: { name: "Club" },
    source: { file: "events/club.yaml", line: 1, column: 1 },
    blockedBy: block("reschedule-with-sales", ""),
  });
  const gone = change("event", "events/club@2027-02-19", {
    action: "delete",
    context: { name: "Club" },
    source: null,
    blockedBy: block(
      "delete-after-sales",
      "Keep the date: `ticketing orders club@2027-02-19 --with-buyers` lists who has one.",
    ),
  });
  const shown = unfolded(renderPlanComment(commentInput(plan({ changes: [moved, gone] }))));
  expect(shown).toContain("**fix:** add to `ticketing.yaml`:");
  expect(shown).toContain('    event: "club@2027-02-12"');
  expect(shown).not.toContain("status: ARCHIVED");
  expect(shown).toContain("Keep the date: `ticketing orders club@2027-02-19 --with-buyers` lists who has one.");
  expect(shown).toContain("Club (2027-02-12): description changes");
  const forbidden = { ...moved, blockedBy: [...moved.blockedBy, ...gone.blockedBy] };
  expect(unfolded(renderPlanComment(commentInput(plan({ changes: [forbidden] }))))).not.toContain("**fix:** add");
});

test("money comes first, many values of one field are one line, and further events are counted without their ticket types", () => {
  const described = Array.from({ length: 20 }, (_, at) =>
    change("event", `events/night-${at}`, {
      edits: [edit("description", `DJ ${at}`, `MC ${at}`, { origin: "edit" })],
      context: { name: `Night ${at}` },
    }),
  );
  const price = change("ticket", "events/x/tickets/GA", {
    edits: [edit("price", 1000, 1200, { origin: "edit" })],
    context: { name: "GA", eventName: "X" },
  });
  const [first = "", second = ""] = unfolded(renderPlanComment(commentInput(plan({ changes: [...described, price] }))))
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(first).toContain("- GA of X: ₱1,000 → ₱1,200");
  expect(second).toBe('- 20 events: description, such as Night 0: description "DJ 0" → "MC 0"');
  const made = Array.from({ length: 50 }, (_, at) => [
    change("event", `events/new-${at}`, { action: "create", context: { name: `New ${at}` } }),
    change("ticket", `events/new-${at}/tickets/GA`, { action: "create", context: { name: "GA" } }),
  ]);
  expect(unfolded(renderPlanComment(commentInput(plan({ changes: made.flat() }))))).toContain(
    "- and 40 more events, below",
  );
});

test("the same edit on many objects is one line", () => {
  const of = plan({
    changes: Array.from({ length: 48 }, (_, at) =>
      change("ticket", `events/night-${at}/tickets/GA`, {
        edits: [edit("price", 1000, 1200, { origin: "edit", digest: at.toString(16).padStart(12, "0") })],
        context: { name: "GA", eventName: `Night ${at}` },
      }),
    ),
  });
  expect(unfolded(renderPlanComment(commentInput(of)))).toContain(
    "- 48 ticket types: ₱1,000 → ₱1,200 (GA of Night 0, GA of Night 1, GA of Night 2 and 45 more)",
  );
});

test.each([
  "<img src=x onerror=alert(1)>",
  "@acme/owners #12 !7 https://evil.example",
  "[click](https://evil.example)",
  "x\n\n# Heading\n- [ ] task",
  "`</details>` **bold** | a | b |",
  "<!-- ticketing plan project=. environment=production digests=",
  "--> <script>",
  "::error::x",
])("a name is no markup: %s", (name) => {
  const of = plan({
    changes: [
      change("event", "events/a", {
        edits: [edit("description", name, `${name} 2`, { origin: "edit", digest: "aaaaaaaaaaaa" })],
        context: { name },
        source: { file: `events/${name}.yaml`, line: 1, column: 1 },
        blockedBy: [{ code: "delete-event", message: `About ${name}.`, hint: `Fix ${name}.` }],
      }),
    ],
  });
  const html = page(renderPlanComment(commentInput(of, { project: name })));
  const tags = new Set([...html.matchAll(/<\/?([a-z0-9-]+)/gi)].map(([, tag]) => tag));
  for (const tag of tags)
    expect(["h3", "p", "strong", "code", "a", "ul", "li", "details", "summary", "pre", "br", "blockquote"]).toContain(
      tag,
    );
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  for (const href of links) expect(href).toMatch(/^https:\/\/github\.example\/acme\/events\//);
  expect(html).not.toContain("<!--");
});

test("each code is explained in a line, once, and what is not ours is left out", () => {
  const comment = renderPlanComment(commentInput(mixed));
  const [, legend = ""] = comment.split("<summary>What the codes mean</summary>");
  const codes = new Set(mixed.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => String(code))));
  expect(codes.size).toBeGreaterThan(0);
  for (const code of codes) expect(legend.split(`- \`${code}\`: `)).toHaveLength(2);
  expect(renderPlanComment(commentInput(mixed, { explain: () => null }))).not.toContain("What the codes mean");
});

describe("a fix says where its words belong", () => {
  const of = (one: Parameters<typeof change>[2], kind: "event" | "ticket" = "event") => {
    const address = kind === "event" ? "events/gig" : "events/gig/tickets/GA";
    const source = { file: "events/gig.yaml", line: 4, column: 5 };
    return renderPlanComment(commentInput(plan({ changes: [change(kind, address, { source, ...one })] })));
  };

  test("no-withdrawal is resolved in the ticket type's entry, not at the top of the file", () => {
    const facts = {
      kind: "ticket",
      name: "GA",
      live: { fields: {} },
      change: { edits: [edit("published", true, false)] },
    };
    const { hint = "" } = noWithdrawal(facts as unknown as Facts) ?? {};
    const comment = of({ blockedBy: [{ code: "no-withdrawal", message: "It is on sale.", hint }] }, "ticket");
    expect(unfolded(comment)).toContain('In the entry "GA", write `published: true`. To end its sale');
    expect(comment).not.toContain("fix:** add to");
  });

  test.each([
    [{ maxDeletes: 5, events: 20 }, "write `maxDeletes: 6` in ticketing.yaml, and undo that once they are deleted."],
    [{ maxDeletes: 5, events: 10 }, "delete them in several pull requests, fewer in each."],
    [{ maxDeletes: 9, events: 10 }, "delete them in several pull requests, fewer in each."],
    [
      { maxDeletes: 0, events: 10 },
      "delete them in several pull requests, fewer in each, with that number as `maxDeletes`.",
    ],
  ])("maxDeletes is offered only where it would help: %o", (limit, words) => {
    const block = tooManyDeletes([], { ...limit, stated: false, elsewhere: 6 });
    const comment = of({ action: "delete", blockedBy: block === null ? [] : [block] });
    expect(unfolded(comment)).toContain(`If this is intended, ${words}`);
    expect(unfolded(comment).includes("  ```yaml\n  maxDeletes: 6\n  ```")).toBe(words.includes("maxDeletes:"));
    expect(comment).not.toContain("fix:** add to");
  });

  test("the limit for deletions is written once", () => {
    const block = tooManyDeletes([], { maxDeletes: 5, events: 20, stated: false, elsewhere: 6 });
    const changes = ["a", "b"].map((key) =>
      change("event", `events/${key}`, { action: "delete", blockedBy: block === null ? [] : [block] }),
    );
    const comment = unfolded(renderPlanComment(commentInput(plan({ changes }))));
    expect(comment.match(/^ {2}maxDeletes: 6$/gm)).toHaveLength(1);
    expect(comment).toContain("**fix:** as above.");
  });

  test("a status that is there is changed, not added", () => {
    const hint = "Change `status` to `ARCHIVED`: it leaves the marketplace.";
    const block = { code: "delete-after-sales", message: "2 are sold.", hint, yaml: "status: ARCHIVED" } as const;
    const comment = of({ action: "delete", blockedBy: [block] });
    expect(unfolded(comment)).toContain(hint);
    expect(unfolded(comment)).toContain("  ```yaml\n  status: ARCHIVED\n  ```");
    expect(comment).not.toContain("fix:** add to");
  });

  test("a risk is accepted until the same day at the top and in the detail", () => {
    const hints = withOption("Tell them.", "To accept it, add `allow: [reschedule-with-sales]` or pass --allow x.");
    const comment = of({ blockedBy: [{ code: "reschedule-with-sales", message: "It would move.", ...hints }] });
    expect(unfolded(comment)).toContain("    until: 2027-01-24");
    expect(comment).toContain(
      "Tell them. To accept this risk, add `{ risk: reschedule-with-sales, until: 2027-01-24, why: … }` to the list `allow` in events/gig.yaml.",
    );
    expect(comment).not.toContain("allow: [reschedule-with-sales]");
  });
});
