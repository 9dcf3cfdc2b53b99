/** Work in lines: what has the same key begins in order, different keys run side by side. */
interface KeyedQueue {
  /**
   * Puts work at the end of its line, and returns false when that line is full. The work must not throw.
   * @param bytes what it holds in memory until it has ended
   */
  add(key: string, bytes: number, run: Work): boolean;
  readonly idle: boolean;
}

/** Work of a line. The next of its line begins when this one has ended, or earlier when it calls `letNextBegin`. */
type Work = (letNextBegin: () => void) => Promise<void>;

/** How much of one key may wait, the work that runs included. One piece is taken whatever its size. */
export interface QueueLimits {
  waitingMax: number;
  bytesMax: number;
}

interface Line {
  waiting: (() => Promise<void>)[];
  isBusy: boolean;
  /** What waits or runs. */
  count: number;
  bytes: number;
}

export function keyedQueue({ waitingMax, bytesMax }: QueueLimits): KeyedQueue {
  const lines = new Map<string, Line>();

  function beginNext(line: Line): void {
    const next = line.waiting.shift();
    line.isBusy = next !== undefined;
    void next?.();
  }

  async function work(key: string, line: Line, bytes: number, run: Work): Promise<void> {
    let isPassed = false;
    const letNextBegin = () => {
      if (isPassed) return;
      isPassed = true;
      beginNext(line);
    };
    await run(letNextBegin);
    line.count -= 1;
    line.bytes -= bytes;
    if (line.count === 0) lines.delete(key);
    letNextBegin();
  }

  return {
    add(key, bytes, run) {
      const line = lines.get(key) ?? { waiting: [], isBusy: false, count: 0, bytes: 0 };
      if (line.count > 0 && (line.count >= waitingMax || line.bytes + bytes > bytesMax)) return false;
      lines.set(key, line);
      line.count += 1;
      line.bytes += bytes;
      line.waiting.push(() => work(key, line, bytes, run));
      if (!line.isBusy) beginNext(line);
      return true;
    },
    get idle() {
      return lines.size === 0;
    },
  };
}
