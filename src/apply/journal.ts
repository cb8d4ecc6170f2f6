// The journal: what was about to be sent, and how it ended.

export { formatEntry, type JournalEntry, splitJournal } from "./journal/journal-entry.ts";
export { type Journal, openJournal } from "./journal/open-journal.ts";
export { compactJournal, findOpenWork, type OpenRotation, parseJournal, rotatedIds } from "./journal/open-work.ts";
export { idsIn, recentWrites, replayJournal, type StateObjects } from "./journal/replay-journal.ts";
