// The journal: what was about to be sent, and what came of it.

export { formatEntry, type JournalEntry, parseJournal, splitJournal } from "./journal/journal-entry.ts";
export { compactJournal, type Journal, openJournal } from "./journal/open-journal.ts";
export { findOpenWork, type OpenRotation, rotatedIds } from "./journal/open-work.ts";
export { idsIn, recentWrites, replayJournal, type StateObjects } from "./journal/replay-journal.ts";
