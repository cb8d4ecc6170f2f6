import { interruptedCode } from "../interrupted.ts";
import type { Interviewer } from "./interviewer.ts";

export function stopped(who: Interviewer | null): number {
  who?.end("Stopped: nothing was written.");
  return interruptedCode;
}
