import type { Verb } from "../model/operation.ts";

/** What a call does, before the name of what it is done to: the same words in plans and in what an apply tells. */
export const verbWords: Readonly<Record<Verb, string>> = {
  create: "create",
  update: "change",
  delete: "delete",
  publish: "publish",
  unpublish: "unpublish",
  archive: "archive",
  "sold-out": "mark as sold out:",
};
