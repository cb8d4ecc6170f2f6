// Which live object is meant, and what else a plan reports.
import { type CodeEntries, swap } from "./entry.ts";

export const matching = {
  "ambiguous-event": {
    levels: ["rule", "error"],
    summary: "It is not clear which live event is meant.",
    details:
      "An event would be created, and a live one that no file describes shares its name, or its start and venue: it may be the same one, renamed or moved. Or several live events have the name and start of the one in the file. Nothing is sent until you say which, and `import` writes no new file for the live one. Commands with an EVENT argument also report it if several events have that name, or if that is the name of a series: in that case, name one of its dates.",
    fix: "Write `id: …` or `renamedFrom: …` if you mean one of those listed, `new: true` if not.",
    example: {
      live: "name: Manila Nights",
      stateless: true,
      wrong: "name: Manila Nights\ndateTime: 2027-03-21T19:00\nendDateTime: 2027-03-22T02:00",
      right: "name: Manila Nights\ndateTime: 2027-03-21T19:00\nendDateTime: 2027-03-22T02:00\nnew: true",
    },
  },
  "ambiguous-ticket": {
    levels: ["rule"],
    summary:
      "Several live ticket types could be the one that the file names, or several entries of the file could be the same live ticket type.",
    fix: "Write the `id` of the right one, or its `section` and `row`. If the rename was applied already, remove `renamedFrom`.",
    example: "Two live ticket types are called GA, and the file lists one.",
  },
  "pinned-id-missing": {
    levels: ["rule"],
    summary: "The file pins an id that the service does not have for this organization.",
    details: "The sandbox ignores a plain `id` that it does not have: `pin-not-here`.",
    fix: "Check the id. Each environment has its own ids: write one that is only for production as `id: { production: … }`. If the object was deleted on purpose, remove its entry or file, or only the `id` line: then the object is found as it would be without an id, or created if it is not live.",
    example: {
      live: "name: Manila Nights",
      wrong: "id: { sandbox: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 }\nname: Manila Nights",
      right: "name: Manila Nights",
    },
  },
  "pin-not-here": {
    levels: ["notice", "warning"],
    summary: "A plain `id` that the sandbox does not have: there the event is found by name and start, or created.",
    details:
      "An id that is written for the sandbox (`id: { sandbox: … }`) blocks the event instead: `pinned-id-missing`. In a project that declares no environments, it is a warning if an id is written only for environments other than the one in use: the plan does not use that id.",
    fix: "Nothing to do for a rehearsal. To pin the id only in production, write `id: { production: … }`.",
    example: "A project with plain ids from a live service is planned with `--env sandbox`.",
  },
  "matched-by-name": {
    levels: ["notice"],
    summary:
      "The service does not show when an event starts, so the only live event with that name is assumed to be the one in the file, or the one whose file is gone.",
    fix: "Put its `id` in the file to be certain. If a file is gone and this is a different event, describe it in a separate file, with its `id`.",
    example: "A draft is found on a service that lists events without their start.",
  },
  "still-new": {
    levels: ["notice"],
    summary:
      "An event is live, and its file still says `new: true`, which would create a second event if the start changes while there is no state.",
    fix: "Remove `new: true`; without state, write its `id` instead.",
    example: "`new: true` resolved `ambiguous-event`, and the event was created.",
  },
  "lookalikes-unknown": {
    levels: ["warning"],
    summary: "An event would be created, but it may already be live under a different name.",
    details: "No file describes the live one, and the service does not show when it starts.",
    fix: "Write its `id` if that is the event you mean, `new: true` if not.",
    example: "A renamed event, without state, on a service that lists events without their start.",
  },
  "moved-document": {
    levels: ["notice"],
    summary: "A file is gone and another one has its event's name, so it is assumed to be the same event, moved.",
    fix: "If it is a different event, add `new: true`: the plan then deletes the old one, once you accept that risk.",
    example: "`events/gala.yaml` is renamed to `events/2027/spring-gala.yaml`.",
  },
  "removed-unsure": {
    levels: ["warning"],
    summary: "A file is gone, and it is unclear which live event it described.",
    fix: "To delete the event, bring the file back with its `id` and `status: DELETED`; until then it is left alone.",
    example: "A file is deleted, and the service does not show the start of the events of that name.",
  },
  forgotten: {
    levels: ["notice"],
    summary: "An event that was removed from the files is over or archived: it stays, and is no longer managed.",
    fix: "Nothing to do.",
    example: "The file of last year's event is deleted.",
  },
  "deleted-outside": {
    levels: ["warning"],
    summary: "Somebody deleted a live event on the service: apply would create it again.",
    fix: "If it should stay deleted, write `status: DELETED` or delete its file (for a date of a series, add the date to `skip`, or remove it from `also`); otherwise let it be created again.",
    example: "Somebody deleted an event in the dashboard, and its file is still there.",
  },
  "nothing-to-do": {
    levels: ["notice"],
    summary:
      "The file says ARCHIVED or DELETED, and the event is not live or is archived; or a date of a series is over but still managed, and is not created because it is not live.",
    fix: "Delete the file; for a date of a series, add the date to `skip` (or remove it from `also`) and remove its entry under `dates`.",
    example: "`status: DELETED` stays in a file after the event was deleted.",
  },
  "unreadable-fields": {
    levels: ["notice", "warning"],
    summary: "The service does not show some fields, and nothing remembers what was applied.",
    details:
      "It is a warning if the service does not show when some events start: `ticketing status --next` leaves them out.",
    fix: "They are sent with the next change of the same object; `--resend-unreadable` sends them at once. `ticketing status` without `--next` shows all events.",
    example: "The service never shows `callbackUrl`, and there is no state.",
  },
  "unknown-target": {
    summary: "`--target` names nothing in the files, on the service or in state.",
    fix: "An address looks like `events/manila-nights` or `events/manila-nights/tickets/VIP`; every plan shows them.",
    example: "`ticketing plan --target events/manila-night`",
  },
} as const satisfies CodeEntries;

export const remarks = {
  "large-price-change": {
    levels: ["warning"],
    summary: "On a published event, a price changes by more than 50%, or a ticket type that was free gets a price.",
    fix: "Check the price: it applies to the next buyer.",
    example: {
      live: "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1500, quantity: 500, published: true }",
      wrong: "status: PUBLISHED\ntickets:\n  - { name: GA, price: 500, quantity: 500, published: true }",
      right: "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1400, quantity: 500, published: true }",
    },
  },
  "rename-changes-address": {
    levels: ["warning"],
    summary: "A published event gets a new name, so its public URL may change.",
    fix: "Keep the name, or tell people where the page is now.",
    example: {
      live: "status: PUBLISHED\nname: Manila Nights",
      wrong: "status: PUBLISHED\nname: Manila Nights 2027\nrenamedFrom: Manila Nights",
      right: "status: PUBLISHED\nname: Manila Nights",
    },
  },
  "buyers-not-told": {
    levels: ["warning"],
    summary: "An event is archived, or its start, venue or visibility changes, after tickets have been sold.",
    fix: "Write to the buyers, whom `ticketing orders EVENT --with-buyers` lists: the service does not notify them.",
    example: {
      live: "status: PUBLISHED\nvisibility: PUBLIC",
      sold: 2,
      wrong: "status: PUBLISHED\nvisibility: PRIVATE\nallow: [make-private-with-sales]",
      right: "status: PUBLISHED\nvisibility: PUBLIC",
    },
  },
  "sold-out-stays": {
    levels: ["warning", "notice"],
    summary: "A ticket type may stay sold out although `soldOut` was dropped or its `quantity` was raised.",
    details:
      "The service has no call that opens a sale again. It is a warning if `quantity` was raised, otherwise a notice.",
    fix: "To sell more, try a higher `quantity` than now; if that puts nothing on sale, add a new ticket type. If it should stay closed, keep `soldOut: true`.",
    example: {
      live: "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1500, quantity: 500, published: true, soldOut: true }\n  - { name: VIP, price: 4500, quantity: 50, published: true }",
      wrong:
        "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1500, quantity: 500, published: true }\n  - { name: VIP, price: 4500, quantity: 50, published: true }",
      right:
        "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1500, quantity: 500, published: true, soldOut: true }\n  - { name: VIP, price: 4500, quantity: 50, published: true }",
    },
  },
  "allow-expired": {
    levels: ["notice"],
    summary: "The acceptance of a risk has expired.",
    details: "`until` is the last day, in the project's time zone. The entry no longer accepts anything.",
    fix: "Remove it, or give it a different `until`.",
    example: swap("allow:\n  - { risk: price-change-with-sales, until: «2026-05-01→2027-05-01» }"),
  },
  "allow-unknown-event": {
    levels: ["warning", "notice"],
    summary: "A risk is accepted for an event that is in no file, or, in an event's own file, for a different event.",
    details:
      "The key of a series accepts the risk for all its dates. For `delete-event` this is only a notice: the event's file is usually deleted in the same pull request.",
    fix: "Correct the event key; if the file was deleted on purpose, remove the entry once the deletion is applied. Write an entry for a different event in that event's file or in ticketing.yaml.",
    example: {
      file: "ticketing.yaml",
      ...swap("allow:\n  - { risk: price-change-with-sales, event: «manila-night→manila-nights» }"),
    },
  },
  "not-as-of-now": {
    levels: ["notice"],
    summary: "A plan for a different time, which is never applied.",
    fix: "Leave out `--at` to plan for now.",
    example: "`ticketing plan --at 2027-02-01T10:00`",
  },
} as const satisfies CodeEntries;
