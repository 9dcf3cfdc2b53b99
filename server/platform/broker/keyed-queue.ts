/** Work in lines: what has the same key runs one after the other, different keys run side by side. */
interface KeyedQueue {
  /**
   * Puts work at the end of its line, and returns false when that line is full. The work must not throw.
   * @param bytes what it holds in memory until it has run
   */
  add(key: string, bytes: number, run: () => Promise<void>): boolean;
  readonly idle: boolean;
}

/** How much of one key may wait, the work that runs included. One piece is taken whatever its size. */
export interface QueueLimits {
  waitingMax: number;
  bytesMax: number;
}

interface Line {
  work: { bytes: number; run: () => Promise<void> }[];
  bytes: number;
}

export function keyedQueue({ waitingMax, bytesMax }: QueueLimits): KeyedQueue {
  const lines = new Map<string, Line>();

  const drain = async (key: string, line: Line) => {
    for (let next = line.work[0]; next; next = line.work[0]) {
      await next.run();
      line.work.shift();
      line.bytes -= next.bytes;
    }
    lines.delete(key);
  };

  return {
    add(key, bytes, run) {
      const line = lines.get(key);
      if (line && (line.work.length >= waitingMax || line.bytes + bytes > bytesMax)) return false;
      if (line) {
        line.work.push({ bytes, run });
        line.bytes += bytes;
      } else {
        const begun = { work: [{ bytes, run }], bytes };
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
