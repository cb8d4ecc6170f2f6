// Dates and times of events, schedule entries, series and phases.
import { type CodeEntries, swap } from "./entry.ts";

export const times = {
  "unreadable-time": {
    summary: "A value that is not a date and a time, or a time that the zone's clocks skip or show twice.",
    fix: "Write a date and a time, like 2027-03-14T19:00. In a series, a time is enough.",
    example: { wrong: 'dateTime: "19:00"', right: "dateTime: 2027-03-14T19:00" },
  },
  "unknown-timezone": {
    summary: "A zone that is not in the IANA database.",
    fix: "Use a name such as Asia/Manila.",
    example: { wrong: "timezone: GMT+8", right: "timezone: Asia/Manila" },
  },
  "local-time-odd": {
    levels: ["warning"],
    summary: "An offset that is not the zone's, or a Z (UTC) that puts the time between 00:00 and 06:59 local time.",
    details:
      "18:00Z is 02:00 the next day in Manila: often local time was intended. The time zones `EST` and `MST` get the same warning, because they have no daylight saving time, and so does a venue in another `country` where no `timezone` is set.",
    fix: "Leave out the offset to use local time in `timezone`. Instead of `EST` or `MST`, name a city's time zone, such as America/New_York.",
    example: { wrong: "dateTime: 2027-03-14T18:00Z", right: "dateTime: 2027-03-14T18:00" },
  },
  "ends-before-start": {
    summary: "Events and schedule entries that end before they start, often because the end falls on the next day.",
    fix: "If it ends after midnight, write the next day's date, or a length such as `+7h`.",
    example: swap("dateTime: 2027-03-14T19:00\nendDateTime: «2027-03-14T02:00→2027-03-15T02:00»"),
  },
  "starts-in-the-past": {
    levels: ["notice", "warning", "error"],
    summary: "An event that starts in the past.",
    details:
      "`validate` mentions it; `plan` blocks only events that do not exist yet. It warns if an event that is over would be published, and if the start of a live event would move from the future into the past.",
    fix: "Correct the date. A past event that is live may stay in the files. If a date of a series is in the past and not live, leave it out of the series: the plan says how.",
    example: swap("endDateTime: «2020-03-15T02:00→2027-03-15T02:00»\ndateTime: «2020-03-14T19:00→2027-03-14T19:00»"),
  },
  "far-future": {
    levels: ["warning"],
    summary: "A start more than 18 months ahead.",
    fix: "Check the year.",
    example: swap("endDateTime: «2072-03-15T02:00→2027-03-15T02:00»\ndateTime: «2072-03-14T19:00→2027-03-14T19:00»"),
  },
  "wrong-weekday": {
    summary: "A start that is not on the day of the week in `weekday`.",
    fix: "Correct the date or the weekday; `weekday` is only there to be checked.",
    example: swap("dateTime: 2027-03-14T19:00\nweekday: «friday→sunday»"),
  },
  "odd-duration": {
    levels: ["warning"],
    summary: "An event of less than 15 minutes or more than 3 days.",
    details:
      "Also an event or a schedule entry of more than 16 hours whose end is only a time of day, such as `18:00`: it means the first 18:00 after the start, which may be on the next day.",
    fix: "Check the end time.",
    example: swap("dateTime: 2027-03-14T19:00\nendDateTime: «2027-03-14T19:05→2027-03-15T02:00»"),
  },
  "schedule-outside-event": {
    levels: ["warning"],
    summary: "An entry before the start or after the end of the event.",
    fix: "Correct the entry's times, or those of the event. If doors open early, write a time that moves with the event, such as `startTime: -1h`, and add `ignore: [schedule-outside-event]` to the entry.",
    example: swap(
      "dateTime: 2027-03-14T19:00\nschedules:\n  - title: Doors\n    endTime: 2027-03-14T20:00\n    startTime: «2027-03-14T18:00→2027-03-14T19:00»",
    ),
  },
  "performer-in-two-places": {
    levels: ["warning"],
    summary: "One performer in entries that overlap.",
    fix: "Correct the times, or the performer of one entry.",
    example: swap(
      "performers: [{ name: DJ Ana }]\nschedules:\n  - { title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T22:00, performer: DJ Ana }\n  - { title: Encore, startTime: «2027-03-14T21:00→2027-03-14T22:00», endTime: 2027-03-14T23:00, performer: DJ Ana }",
    ),
  },
  "unknown-performer": {
    levels: ["error", "rule"],
    summary: "An entry that names someone who is not one of the event's performers.",
    fix: "Correct the name, or add the performer to `performers`.",
    example: swap(
      "performers:\n  - name: DJ Ana\nschedules:\n  - title: Set\n    startTime: 2027-03-14T20:00\n    endTime: 2027-03-14T22:00\n    performer: DJ «Anna→Ana»",
    ),
  },
  "bad-color": {
    summary: "A color that is not # and six hex digits.",
    fix: "Write all six digits, in quotes: without them YAML reads a comment.",
    example: swap(
      'schedules:\n  - title: Set\n    startTime: 2027-03-14T20:00\n    endTime: 2027-03-14T22:00\n    color: «"#f00"→"#FF0000"»',
    ),
  },
} as const satisfies CodeEntries;

export const recurring = {
  "bad-series": {
    levels: ["error", "warning"],
    summary:
      "A series whose rule cannot be read or never ends, or a series with a date that does not exist or with more than 1,000 dates.",
    details:
      "A rule that repeats more than once a day is refused as well. It is a warning if `also` lists a date that the rule already has.",
    fix: "Give it `until` or `count`, and write days as the message says.",
    example: swap(
      "dateTime: 22:00\nendDateTime: 02:00\nseries: { every: friday, from: «2027-01-01→2027-01-01, count: 4» }",
    ),
  },
  "not-in-series": {
    levels: ["error", "warning"],
    summary: "`dates`, the sheet or `skip` names a day that is not a date of the series.",
    details: "For `skip` it is a warning. The message names the nearest dates, unless `skip` removes the date itself.",
    fix: "Correct the date. Add an extra date to `also`; remove an entry for a date that the series no longer has.",
    example: swap(
      "dateTime: 22:00\nendDateTime: 02:00\nseries: { every: friday, from: 2027-01-01, count: 4, skip: [«2027-01-09→2027-01-08»] }",
    ),
  },
  "bad-sheet": {
    levels: ["error", "warning"],
    summary:
      "The sheet of a series cannot be read, has a row without a date, or has two rows for one date. It is a warning if it skips a few dates between its first and its last.",
    details: "The sheet is a CSV file with a column `date`. The message names the cell.",
    fix: "Correct the sheet, or the path in `table`.",
    example: swap(
      "dateTime: 22:00\nendDateTime: 02:00\nseries: { every: friday, from: 2027-01-01, count: 4, table: «linup.csv→lineup.csv» }",
    ),
  },
  "unused-column": {
    ofFiles: true,
    levels: ["warning", "notice"],
    summary: "A column of a series' sheet that no `${var.…}` uses.",
    details:
      "It is only a notice if other columns are used, and the name is neither that of an event field nor similar to that of a variable without a column.",
    fix: "Correct the name of the column, or remove it.",
    example: "The sheet has a column `headlinr`, and the event's description names `${var.headliner}`.",
  },
  "unused-variable": {
    ofFiles: true,
    levels: ["warning"],
    summary: "A variable of an event, a phase or a date of a series that nothing uses, although a similar one is used.",
    fix: "Correct the name of the variable, or remove it.",
    example: "An entry of `dates` sets the variable `bnad`, and the event's description names `${var.band}`.",
  },
  "bad-phase": {
    levels: ["error", "warning"],
    summary: "A phase without a time, without a value to fall back to, or about an entry that is not there.",
    details:
      "It is also an error if a phase does not end after it begins, or if an event with phases sets `status: ARCHIVED` or `status: DELETED` outside them: this does not say whether the status applies before or after the phases. It is a warning if a phase changes nothing, would have to undo what the service cannot undo, or sets `status` a few minutes before the start (`-4m` is four minutes, not months). The same is true of a phase after the end of the event that publishes it, puts a ticket type on sale or sets a price.",
    fix: "Give the phase a `from`, and the event the value that applies before and after it. To archive or delete an event that has phases, add a phase: `{ from: 2027-03-14T19:00, status: ARCHIVED }`.",
    example: { wrong: "phases:\n  - status: PUBLISHED", right: "phases:\n  - from: -6w\n    status: PUBLISHED" },
  },
  "nothing-to-remove": {
    summary: "An entry with `remove` that names no inherited entry.",
    fix: "Correct the name, or delete the entry: there is nothing to remove.",
    example: { line: 3, ...swap("extends: club-night\nbrands:\n  - name: San «Migel→Miguel»\n    remove: true") },
  },
  "ambiguous-entry": {
    summary:
      "An entry that could mean several inherited ticket types, or an entry of a phase that could mean several of the event's.",
    details: "Where ticket types share a name, `section` and `row` say which one is meant.",
    fix: "Add `section` or `row` of the one that you mean.",
    example: {
      wrong:
        "tickets:\n  - { name: GA, section: A, price: 500, quantity: 50, published: true }\n  - { name: GA, section: B, price: 900, quantity: 50, published: true }\nphases:\n  - { from: -1d, tickets: [{ name: GA, soldOut: true }] }",
      right:
        "tickets:\n  - { name: GA, section: A, price: 500, quantity: 50, published: true }\n  - { name: GA, section: B, price: 900, quantity: 50, published: true }\nphases:\n  - { from: -1d, tickets: [{ name: GA, section: B, soldOut: true }] }",
    },
  },
  "unknown-template": {
    summary: "A template in extends that does not exist.",
    fix: "Correct the name: a template is named by its path below `templates/`, without the extension.",
    example: { wrong: "extends: club-nigth", right: "extends: club-night" },
  },
  "template-circle": {
    summary: "Templates that extend each other.",
    fix: "Remove one of the names from `extends`.",
    example: { file: "templates/a.yaml", wrong: "extends: a", right: "" },
  },
  "duplicate-template": {
    summary: "Two templates with the same name.",
    fix: "Rename one of the two files.",
    example: "`templates/club.yaml` and `templates/club.yml` in one project.",
  },
  "unused-template": {
    levels: ["notice"],
    summary: "A template that no event extends.",
    details:
      "`validate` shows it with `--verbose`, and always in the formats for programs: `--format json`, `github`, `sarif`.",
    fix: "Remove the file, or name the template under `extends` in an event.",
    example: { file: "templates/club.yaml", wrong: "timezone: Asia/Manila", right: "" },
  },
  "series-not-copied": {
    summary: "`ticketing copy` was asked to copy a series.",
    fix: "Set a later `until` or a higher `count` in its `series`, or add dates to `also`.",
    example: "`ticketing copy friday-club --to 2028-01-07`, where friday-club is a series.",
  },
  "event-over": {
    levels: ["error", "notice"],
    summary: "In a series, a date that is over and therefore no longer managed.",
    details:
      "A date with phases stays managed until a week after its last phase began or ended. Entries of `also`, `dates` or the sheet for dates that are over have no effect. It is an error if a command is asked for such a date, and a notice if every date of a series is over: the year of the series may be wrong.",
    fix: "Check the year. To see a date that is over, pass `--at` with a time before its end; to keep it managed, write `keepEnded: true` in its series.",
    example: "`ticketing show friday-club@2026-12-04` in January.",
  },
} as const satisfies CodeEntries;
