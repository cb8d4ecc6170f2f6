// Another webhook in the place of one whose secret is to change: made and its secret kept before anything else, tried, and
// only then are the former ones removed. There is never a moment without a webhook that works.
import { kindOf } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import { executeCreate } from "../create/create-object.ts";
import { recheck } from "../create/recheck.ts";
import type { Rotation } from "../journal/journal-entry.ts";
import { openRotations } from "../journal/open-work.ts";
import { listPath } from "../run/observe.ts";
import type { OperationResult, Run } from "../run/run.ts";
import type { Task } from "../run/task.ts";
import { finishRotation, type RotationEnd } from "./finish-rotation.ts";

export interface RotationWish {
  readonly address: Address;
  readonly url: string;
  readonly events: readonly string[];
  readonly rotation: Rotation;
  readonly untested: boolean;
}

export type Rotated =
  | { readonly made: null; readonly performed: Exclude<OperationResult, { readonly result: "done" }> }
  | { readonly made: string; readonly end: RotationEnd };

const kind = kindOf("webhook");

/** `run.ids` must know every webhook that is live. */
export async function rotateWebhook(run: Run, wish: RotationWish): Promise<Rotated> {
  const performed = await executeCreate(run, taskOf(wish));
  if (performed.result !== "done") return { made: null, performed };
  const open = openRotations(run.journal.entries).findLast(({ intent }) => intent.address === wish.address);
  if (open === undefined) throw new Error(`the rotation of ${wish.address} is not in the journal`);
  const end = await finishRotation(run, open, wish);
  for (const doubt of run.unconfirmed.all()) await recheck(run, doubt);
  return { made: open.created, end };
}

function taskOf({ address, url, events, rotation }: RotationWish): Task {
  const path = listPath(kind, null);
  const fields = { url, events };
  return {
    operation: { id: "1", address, verb: "create", method: "POST", path, body: fields, needs: [], because: address },
    kind,
    path,
    body: fields,
    fields,
    inline: [],
    parentId: null,
    id: null,
    rotation,
  };
}
