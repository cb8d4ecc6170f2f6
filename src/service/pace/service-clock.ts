// The service's clock, by which runs on several machines agree on when a call was: their own may be minutes apart. A Date
// header is cut to whole seconds, so each response shows the difference only roughly; many together show it well.

/** Clocks that are set at all differ by minutes at most: one that is ten minutes off is wrong, and is not followed. */
const furthestApartMs = 600_000;

export function makeServiceClock() {
  /** The service's time less ours is between these. */
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  /** Before a response: what other runs wrote, they wrote before we read it. Until then our clock counts as right. */
  let behind = 0;
  let isSet = false;

  return {
    /** A response came with this Date. */
    observe(date: string | null, sentAt: number, now: number): void {
      const second = date === null ? Number.NaN : Date.parse(date);
      if (Number.isNaN(second)) return;
      const [low, high] = [second - now, second + 1000 - sentAt];
      // A clock that is set to another day may stand still as well: by it, no call would ever lapse.
      if (Math.abs(low) > furthestApartMs) return;
      // One of the clocks was changed.
      const isNew = low > most || high < least;
      least = isNew ? low : Math.max(least, low);
      most = isNew ? high : Math.min(most, high);
    },
    /** Another run has written at this instant of the service, and we have read that by now. `isFresh`: it was a moment ago. */
    read(at: number, now: number, isFresh: boolean): void {
      behind = isFresh && !isSet ? at - now : Math.max(behind, at - now);
      isSet ||= isFresh;
    },
    /** Not only by our own clock. */
    isSet: () => isSet || Number.isFinite(least),
    isTimed: () => Number.isFinite(least),
    /** The earliest instant of the service that this instant of ours can be: others may rely on that it has passed. */
    reached: (at: number) => Math.floor(at + (Number.isFinite(least) ? least : behind)),
    /** The latest instant of the service that this instant of ours can be: what counts from then on never lapses too soon. */
    toService: (at: number) => Math.ceil(at + (Number.isFinite(most) ? most : behind)),
    /** The latest instant of ours that this instant of the service can be. */
    toOurs: (at: number) => at - (Number.isFinite(least) ? least : behind),
  };
}
