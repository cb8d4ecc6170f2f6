// A replacement if names are unique: the former object is deleted first, and restored if the new one cannot be created.
import { fieldEntries, sentName } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Operation } from "../../model/plan.ts";
import { asSentence, maskUrls, type Value } from "../../model/value.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { listObjects } from "../run/observe.ts";
import { joinHints, recheckHint, reportRecovery } from "../run/outcomes.ts";
import type { NotDone, OperationResult, Run } from "../run/run-context.ts";
import type { Task } from "../run/task.ts";
import { executeDelete } from "../run/transition.ts";
import { sharesIdentity } from "./candidates.ts";
import { executeCreate } from "./create-object.ts";

type Perform = (operation: Operation, more?: Pick<Task, "named">) => Promise<OperationResult>;

/**
 * If names are unique, a replacement is refused while the former object exists. That is deleted only if the refusal can be about
 * its name, and the list shows that it has the name; if the replacement is then refused for another reason, it is restored.
 */
export async function createOrClear(run: Run, task: Task, perform: Perform): Promise<OperationResult> {
  const created = await executeCreate(run, task);
  const { operation, kind } = task;
  if (created.result !== "failed" || operation.clearing === undefined) return created;
  const { status, code, hint } = created.error;
  const namesFields = created.about?.some((field) => field !== "") === true;
  const isConflict =
    created.about?.includes(kind.identity.label) === true ||
    conflictCodes.test(code) ||
    (status === 409 && unspecificCodes.test(code) && !namesFields);
  if (!isConflict) {
    if ((status !== 400 && status !== 409 && status !== 422) || namesFields) return created;
    // Nothing is deleted on a guess: if a value is refused, nothing could replace the object.
    const byHand = `If the service allows this name only once, remove this ${kind.words.one} from the file and apply, then add it again and apply.`;
    return { ...created, error: { ...created.error, hint: joinHints(hint, byHand) } };
  }
  const former = await findNameHolder(run, task);
  if (former === null) return created;
  reportRecovery(run, operation.address, "needs a name that is in use, so the old object is deleted first");
  const carried = fieldsBefore(run, task, former);
  const pointers: Operation[] = [];
  const pointTo = (id: string) => pointAll(pointers, id, perform);
  for (const call of operation.clearing) {
    const step: Operation = { id: operation.id, needs: [], because: operation.because, ...call };
    const isFormer = call.verb === "delete";
    // Once the reference is cleared, nothing else shows the next run what it named.
    const named = Object.fromEntries(Object.keys(call.body ?? {}).map((field) => [field, operation.address]));
    const removal = { operation: step, kind, path: call.path, parentId: task.parentId, id: former.id, carried };
    const cleared = isFormer
      ? await executeDelete(run, { ...removal, body: undefined, fields: {}, inline: [] })
      : await perform(step, { named });
    if (cleared.result === "failed") await pointTo(former.id);
    if (cleared.result !== "done") return cleared;
    if (isFormer) run.cleared.add(call.path);
    else pointers.push(step);
  }
  const again = await executeCreate(run, task);
  const isCreated = run.ids.of(operation.address) !== undefined;
  return again.result === "done" || isCreated ? again : restore(run, task, carried, again, pointTo);
}

/** A service need not say which field it is about. Narrow, because the old object is deleted: `IMAGE_NOT_EXISTS` is about something else. */
const conflictCodes = /^CONFLICT$|DUPLICATE|UNIQUE|(?:ALREADY|NAME)_?(?:EXISTS|TAKEN|USED|IN_USE|CONFLICT)/i;
/** With status 409 they may mean the name; any other code, such as `EVENT_LOCKED`, says that something else is in the way. */
const unspecificCodes = /^(?:HTTP_409|VALIDATION_ERROR)$/;

/** The object to be replaced, if it is the one that has the name. */
async function findNameHolder(run: Run, { operation, kind, parentId, fields }: Task): Promise<Live | null> {
  const id = operation.clearing?.at(-1)?.path.split("/").at(-1);
  const listed = await listObjects(run, kind, parentId);
  const named = listed.ok ? listed.lives.filter((live) => sharesIdentity(kind, fields, live)) : [];
  return named.length === 1 && sameId(named[0]?.id, id) ? (named[0] ?? null) : null;
}

/** Points to this object whatever pointed to the former one: it is that one, or took its place. Returns whether all do. */
async function pointAll(pointers: readonly Operation[], id: string, perform: Perform): Promise<boolean> {
  let all = true;
  for (const call of pointers) {
    const body = Object.fromEntries(Object.keys(call.body ?? {}).map((field) => [field, id]));
    all = (await perform({ ...call, body })).result === "done" && all;
  }
  return all;
}

/** The former object is gone, and the new one was not created. */
async function restore(
  run: Run,
  task: Task,
  fields: FieldValues,
  result: NotDone,
  pointTo: (id: string) => Promise<boolean>,
): Promise<OperationResult> {
  const { kind, operation } = task;
  const say = (what: string, hint = result.error.hint): OperationResult => {
    const gone = `The old ${kind.words.one} was deleted first, because the service allows its name only once`;
    return {
      ...result,
      error: { ...result.error, message: `${asSentence(result.error.message)} ${gone}${what}.`, hint },
    };
  };
  if (result.result === "unsure") return say("");
  if (result.result === "failed" && result.error.status !== null) {
    await executeCreate(run, { ...task, body: fields, fields });
    const id = run.ids.of(operation.address);
    if (id !== undefined)
      return say(
        `; it was put back as ${id}${(await pointTo(id)) ? "" : ", but some entries that named the old one do not name the new one"}`,
      );
  }
  return say(
    `, and is missing now. It had ${maskUrls(JSON.stringify(fields))}`,
    joinHints(result.error.hint, recheckHint),
  );
}

/** What a create sends to restore the object; for what the service does not show, what was applied last. */
function fieldsBefore(run: Run, { kind, operation, fields }: Task, live: Live): FieldValues {
  const unseen = run.editsOf(operation.because).flatMap(({ path, before, unreadable, sentAlong }) => {
    const field = path.slice(1);
    return unreadable === true ? [[field, sentAlong === true ? fields[field] : before] as const] : [];
  });
  const known: Readonly<Record<string, Value | undefined>> = { ...Object.fromEntries(unseen), ...live.fields };
  const sent = fieldEntries(kind).flatMap(([name, policy]) => {
    const isSent = policy.role === "reference" || (policy.role === "value" && policy.create !== "after");
    const value = isSent ? known[sentName(kind, name)] : undefined;
    return value === undefined || value === null ? [] : [[sentName(kind, name), value] as const];
  });
  return Object.fromEntries(sent);
}
