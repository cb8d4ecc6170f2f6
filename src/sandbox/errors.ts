// Something that a sandbox cannot do, and what to do instead.
import { errorOf, failed, Halt } from "../model/diagnostic.ts";
import { isUnsafeFile } from "../system/private-folder.ts";
import { explainRefusal, isSystemError } from "../system/refusal.ts";

/** A request to the control API that cannot be done. */
export function controlError(message: string, hint: string): Halt {
  return new Halt(failed(errorOf("sandbox-refused", message, hint)));
}

/** A data file that cannot be used. */
export function dataError(message: string, hint: string): Halt {
  return new Halt(failed(errorOf("sandbox-data", message, hint)));
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** What the system refused about the place of a data file, for people; anything else is returned as it is. */
export function dataPlaceError(file: string, error: unknown): unknown {
  if (isUnsafeFile(error)) return dataError(error.message, error.hint);
  if (!isSystemError(error)) return error;
  return dataError(
    `The sandbox data cannot be kept in ${file}: ${explainRefusal(error).reason}.`,
    "Fix that. `ticketing sandbox --data FILE` can keep the data in a different folder.",
  );
}
