// Renames: which are pending, and in which order. In a chain, or if a name is used again, the name alone means another
// entry's live object.
import type { Kind } from "../../kinds/define.ts";
import type { Change } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";

export interface RenameInput<Thing> {
  readonly wishes: readonly Wish[];
  /** The live object, or the document of the base, that the wish was until now. */
  readonly formerOf: (wish: Wish) => Thing | undefined;
  /** What has its name of now. */
  readonly bearersOf: (wish: Wish) => readonly Thing[];
  /** Whether state holds its id: then it is one wish's for sure, whatever it is called. */
  readonly isRecorded?: (object: Thing) => boolean;
}

/**
 * A rename is pending if no object has the new name, or if each object that has it is about to be renamed, too. Once all are
 * applied, every new name is in use and nothing is pending. Two that swap names look the same before and after: only state
 * shows the difference.
 */
export function pendingRenames<Thing>({
  wishes,
  formerOf,
  bearersOf,
  isRecorded,
}: RenameInput<Thing>): ReadonlyMap<Wish, Thing> {
  const claims = wishes.flatMap((wish) => {
    const former = formerOf(wish);
    return former === undefined ? [] : [{ wish, former, bearers: bearersOf(wish) }];
  });
  const claimsTo = groupBy(claims, ({ former }) => former);
  const pending = new Map<Wish, Thing>();
  const left = new Set<Thing>();
  let waiting = claims.filter(({ former, bearers }) => claimsTo.get(former)?.length === 1 && !bearers.includes(former));
  for (let before = -1; before !== pending.size; ) {
    before = pending.size;
    waiting = waiting.filter(({ wish, former, bearers }) => {
      const isFree = (bearer: Thing) => left.has(bearer) || (isRecorded?.(former) && isRecorded(bearer));
      if (!bearers.every(isFree)) return true;
      pending.set(wish, former);
      left.add(former);
      return false;
    });
  }
  return pending;
}

export interface AmbiguityInput<Thing> {
  readonly wishes: readonly Wish[];
  readonly pending: ReadonlyMap<Wish, Thing>;
  /** What the wish would be by its name of now. */
  readonly wantedBy: (wish: Wish) => readonly Thing[];
  /** State or the base shows that the wish was this until now. */
  readonly isKnown: (wish: Wish, former: Thing) => boolean;
  readonly mayBeApplied?: (wish: Wish) => boolean;
}

/**
 * The pending renames, each with the wishes among which its object is uncertain, if it is. If another wish wants the former
 * name, the rename may already be done, and what it renamed deleted by hand; then so may those further along its chain.
 */
export function judgeRenames<Thing>({
  wishes,
  pending,
  wantedBy,
  isKnown,
  mayBeApplied = () => true,
}: AmbiguityInput<Thing>) {
  const wanting = (wish: Wish, former: Thing) =>
    wishes.filter((each) => each !== wish && wantedBy(each).includes(former));
  function isAmbiguous(wish: Wish, former: Thing): boolean {
    if (isKnown(wish, former)) return false;
    return wanting(wish, former).some((rival) => {
      const left = pending.get(rival);
      return left === undefined ? mayBeApplied(rival) : isAmbiguous(rival, left);
    });
  }
  return Array.from(pending, ([wish, former]) => {
    const rivals = wanting(wish, former).filter((rival) => !pending.has(rival));
    return { wish, former, candidates: isAmbiguous(wish, former) ? [wish, ...rivals] : [] };
  });
}

interface Renamed {
  readonly kind: Kind;
  readonly change: Change | null;
}

/** Giving up a name comes before getting it: a service may refuse two of one name. In a circle, none can be first. */
export function inOrderOfNames<One>(all: readonly One[], renamedIn: (one: One) => Renamed): readonly One[] {
  const leaving = groupBy(all, (one) => nameInChange(renamedIn(one), "before"));
  const seen = new Set<One>();
  const ordered: One[] = [];
  function place(one: One): void {
    if (seen.has(one)) return;
    seen.add(one);
    const name = nameInChange(renamedIn(one), "after");
    if (name !== null) leaving.get(name)?.forEach(place);
    ordered.push(one);
  }
  all.forEach(place);
  return ordered;
}

/** The name, among those of its kind, that its change removes from an object (`before`), or gives to it (`after`). */
export function nameInChange({ kind, change }: Renamed, side: "before" | "after"): string | null {
  const edit = change?.edits.find(({ path }) => path === `/${kind.identity.label}`);
  return typeof edit?.[side] === "string" ? `${kind.plural}/${edit[side]}` : null;
}
