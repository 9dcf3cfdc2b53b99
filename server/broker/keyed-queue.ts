/** Work in lines: what has the same key runs one after the other, different keys run side by side. */
export interface KeyedQueue {
  /** Puts work at the end of its line, or answers false when that line is full. The work must not throw. */
  add(key: string, run: () => Promise<void>): boolean;
  readonly idle: boolean;
}

export function keyedQueue(waitingMax: number): KeyedQueue {
  const lines = new Map<string, (() => Promise<void>)[]>();

  const drain = async (key: string, line: (() => Promise<void>)[]) => {
    for (let run = line[0]; run; run = line[0]) {
      await run();
      line.shift();
    }
    lines.delete(key);
  };

  return {
    add(key, run) {
      const line = lines.get(key);
      if (line && line.length >= waitingMax) return false;
      if (line) {
        line.push(run);
      } else {
        const begun = [run];
        lines.set(key, begun);
        void drain(key, begun);
      }
      return true;
    },
    get idle() {
      return lines.size === 0;
    },
  };
}
