// How a file is written: YAML, fields and values.
import type { CodeEntries } from "./entry.ts";

export const writing = {
  "unknown-key": {
    levels: ["error"],
    summary: "A field that does not exist: the service might ignore it silently.",
    fix: "Write the field as the message suggests, or remove the line.",
    example: { wrong: "capacity: 700", right: "eventCapacity: 700" },
  },
  "missing-key": {
    levels: ["error"],
    summary: "A required field is missing.",
    details: "With an `id` the service's required fields may be left out: then they are not managed.",
    fix: "Add the line.",
    example: { wrong: "performers:\n  - type: DJ", right: "performers:\n  - type: DJ\n    name: DJ Ana" },
  },
  "wrong-case": {
    levels: ["error"],
    summary: "The right word in the wrong case.",
    fix: "Write it in capitals, as the message does.",
    example: { wrong: "visibility: public", right: "visibility: PUBLIC" },
  },
  "unknown-value": {
    levels: ["error"],
    summary: "A value that is not one of those allowed.",
    fix: "Write one of the words that the message lists.",
    example: { wrong: "visibility: SECRET", right: "visibility: PRIVATE" },
  },
  "wrong-type": {
    levels: ["error"],
    summary: "A value of the wrong type, such as a text where a list is expected.",
    fix: "Write it as the message shows.",
    example: { wrong: "performers: DJ Ana", right: "performers: [{ name: DJ Ana }]" },
  },
  "wrong-value": {
    levels: ["error"],
    summary: "A number out of range, or settings that cannot be used together.",
    fix: "Correct the value.",
    example: { wrong: "eventCapacity: -1", right: "eventCapacity: 700" },
  },
  "empty-text": {
    levels: ["error"],
    summary: "A field that must not be empty is.",
    fix: "Fill it in, or remove the line.",
    example: { wrong: 'name: ""', right: "name: Manila Nights" },
  },
  "bad-id": {
    levels: ["error"],
    summary: "An id or venueId that is not a UUID.",
    fix: "Copy the id from the dashboard or from `ticketing venues search`; a venue can also be named with `venue`.",
    example: { wrong: "venueId: palace", right: "venue: Palace" },
  },
  "pinned-twice": {
    levels: ["error", "rule"],
    summary: "Two documents, or two ticket types of an event, that pin one id in one environment.",
    fix: "One live object can be described once: remove one of the two, or correct its `id`.",
    example: {
      wrong: "tickets:\n  - id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\n  - id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11",
      right: "tickets:\n  - id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\n  - id: 1b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11",
    },
  },
  "yaml-syntax": {
    levels: ["error"],
    summary: "Text that is not valid YAML.",
    fix: "Correct the line that the message shows; an editor with YAML support marks it while you type.",
    example: { wrong: 'description: "no end', right: 'description: "an end"' },
  },
  "yaml-trap": {
    levels: ["error"],
    summary:
      "Text that YAML does not read the way it looks: duplicate keys, tabs, words such as NO, leading zeros, comments.",
    details: "A # without a space after it cuts a text short; too many aliases are refused.",
    fix: "Put the text in quotes, or remove the second key.",
    example: { wrong: "name: Jazz Night #3", right: 'name: "Jazz Night #3"' },
  },
  "unknown-code": {
    levels: ["warning"],
    summary: "A code in ignore that silences nothing: no rule has it, or the rule cannot be silenced.",
    fix: "Write the code shown with the warning, or remove it. `ticketing explain` lists all codes.",
    example: { wrong: "ignore: [far-futur]", right: "ignore: [far-future]" },
  },
  "unknown-variable": {
    levels: ["error"],
    summary: "A variable that is not defined, or must not be read.",
    details:
      "Of the environment, only variables whose name begins with TICKETING_VAR_ can be read: a pull request must not be able to print other secrets of the CI.",
    fix: "Define it under `vars` in ticketing.yaml. For a literal `${`, write `$${`.",
    example: { wrong: "description: ${var.blurb}", right: "description: $${var.blurb}" },
  },
  "variable-circle": {
    levels: ["error"],
    summary: "Vars that refer to each other in a circle.",
    fix: "Give one of them a value.",
    example: {
      file: "ticketing.yaml",
      wrong: 'vars:\n  host: "${var.host}.example"',
      right: "vars:\n  host: hooks.example",
    },
  },
  "duplicate-key": {
    levels: ["error"],
    summary: "Two events with the same key, or with keys that differ only in case.",
    details: "The key is the file's base name unless the document has a `key`.",
    fix: "Give one of them another `key`, or rename its file.",
    example: "`events/gala.yaml` and `events/2027/gala.yaml` are in one project.",
  },
  "forbidden-key": {
    levels: ["error"],
    summary: "__proto__, constructor or prototype as a key.",
    fix: "Remove it.",
    example: { wrong: "constructor: 1", right: "status: DRAFT" },
  },
  "too-deep": {
    levels: ["error"],
    summary: "Values nested deeper than any event needs.",
    details: "More than 64 levels.",
    fix: "Check indentation and brackets.",
    example: "A file with a hundred opening brackets.",
  },
  "too-many-keys": {
    levels: ["error"],
    summary: "A map with more keys than are read.",
    details: "More than 2,000.",
    fix: "Check indentation and brackets.",
    example: "A file that was generated by another program, with every ticket as a field of its own.",
  },
  "too-many-documents": {
    levels: ["error"],
    summary: "A file with more than 2,000 documents.",
    fix: "Split it: one event per file is best.",
    example: "A whole archive of events was exported into one file.",
  },
  "too-long": {
    levels: ["error"],
    summary: "A text of more than 100,000 characters, or variables that fill in more than 1 MiB.",
    details: "In one file, or 64 MiB in all.",
    fix: "Shorten it, or use fewer variables.",
    example: "An image was pasted into `description` as text.",
  },
} as const satisfies CodeEntries;
