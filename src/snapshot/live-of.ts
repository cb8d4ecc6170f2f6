import type { Kind } from "../kinds/define.ts";
import { readRecord } from "../kinds/read-record.ts";
import { unnamedRecord } from "../kinds/unnamed-record.ts";
import type { Live } from "../model/live.ts";
import { problemOf } from "../service/problem.ts";
import { ReadFailure } from "./read-failure.ts";

/** What a record shows; null where it is gone. What is there and cannot be spoken of must not pass for not being there. */
export function liveOf(kind: Kind, record: unknown, parentId: string | null): Live | null {
  const live = readRecord(kind, record, parentId);
  const unnamed = live === null ? unnamedRecord(kind, record) : null;
  if (unnamed === null) return live;
  throw new ReadFailure(problemOf("refused", "unexpected-answer", unnamed.message, unnamed.hint));
}
