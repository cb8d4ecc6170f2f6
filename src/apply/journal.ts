// The journal: what was about to be sent, and what came of it.
export { compactJournal, type Journal, openJournal } from "./journal/journal.ts";
export { formatEntry, type JournalEntry, parseJournal, splitJournal } from "./journal/journal-entry.ts";
export { findOpenWork, type OpenRotation } from "./journal/open-work.ts";
export { idsIn, recentWrites, replayJournal, type StateObjects } from "./journal/replay-journal.ts";
