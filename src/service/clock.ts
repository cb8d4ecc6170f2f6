// Time as the client sees it; simulations hand in their own.

export interface Clock {
  /** Milliseconds since the epoch; never runs backward. */
  now(): number;
  /** Ends after the time, or as soon as the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      }
      const timer = setTimeout(done, Math.min(ms, 0x7fffffff));
      signal?.addEventListener("abort", done, { once: true });
    });
  },
};
