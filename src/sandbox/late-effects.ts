// Effects that land after their call was answered.

export interface LateEffects {
  add(effect: () => void, ms: number): void;
  /** Lets all of them land now. */
  flush(): void;
  clear(): void;
}

export function createLateEffects(): LateEffects {
  const waiting = new Map<NodeJS.Timeout, () => void>();
  return {
    add(effect, ms) {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        effect();
      }, ms);
      timer.unref();
      waiting.set(timer, effect);
    },
    flush() {
      for (const [timer, effect] of waiting) {
        clearTimeout(timer);
        waiting.delete(timer);
        effect();
      }
    },
    clear() {
      for (const timer of waiting.keys()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
