// A wait in words.
import type { WaitNote, WaitReason } from "../listener.ts";
import { type Problem, problemOf } from "../problem.ts";

export interface Hold {
  readonly ms: number;
  readonly reason: WaitReason;
}

export function waitNote(hold: Hold): WaitNote {
  const because = why(hold.reason);
  return {
    reason: hold.reason,
    ms: hold.ms,
    why: because,
    message: `Waiting ${lengthOf(hold.ms)}: ${because}.`,
  };
}

export function tooLong(hold: Hold, maxWaitMs: number): Problem {
  return problemOf(
    "throttled",
    "rate-limited-too-long",
    `The next call must wait ${lengthOf(hold.ms)}: ${why(hold.reason)}. That is longer than the longest wait allowed (${lengthOf(maxWaitMs)}).`,
    `Run the command again in ${lengthOf(hold.ms)}: it goes on where it stopped. Or allow a longer wait with --max-wait ${Math.ceil(hold.ms / 1000)}.`,
  );
}

export function interrupted(): Problem {
  return problemOf(
    "not-sent",
    "interrupted",
    "The run was stopped before this call was sent.",
    "Run the command again to go on.",
  );
}

function why(reason: WaitReason): string {
  switch (reason) {
    case "minute":
      return "the calls that the service allows per minute are used up";
    case "hour":
      return "the calls that the service allows per hour are used up";
    case "asked":
      return "the service asks for a pause";
    case "backoff":
      return "the service refused a call as one too many and does not say for how long";
  }
}

function lengthOf(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
