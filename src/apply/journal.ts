// The journal: what was about to be sent, and what came of it.
export { foldJournal, idsIn, type Objects } from "./journal/fold-journal.ts";
export { type Journal, openJournal, remainderOf } from "./journal/journal.ts";
export { type JournalEntry, readLines, toLine } from "./journal/journal-entry.ts";
export { type OpenRotation, openRotations } from "./journal/journal-standing.ts";
