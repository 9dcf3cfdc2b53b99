import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** How long a line that repeats is counted before it is written again. */
const COUNTED_MS = 60_000;
// Lines that are counted at once; the one that was written first is forgotten.
const LINES_MAX = 500;

/**
 * Writes lines that may repeat many times a second: the first one at once, then one a minute with the number of those
 * between, as `repeated`.
 */
interface CountedLog {
  /** @param about what the line is about, where the same line about another is not a repetition */
  warn(fields: object, message: string, about?: string): void;
  error(fields: object, message: string, about?: string): void;
}

interface Counted {
  writtenMs: number;
  repeated: number;
}

export function createCountedLog({ log, clock }: { log: Log; clock: Pick<Clock, 'nowMs'> }): CountedLog {
  const lines = new Map<string, Counted>();

  function write(level: 'warn' | 'error', fields: object, message: string, about: string): void {
    const key = `${level} ${message} ${about}`;
    const nowMs = clock.nowMs();
    const line = lines.get(key);
    // A clock that was set back counts no longer than a minute.
    if (line && Math.abs(nowMs - line.writtenMs) < COUNTED_MS) {
      line.repeated += 1;
      return;
    }
    lines.delete(key);
    lines.set(key, { writtenMs: nowMs, repeated: 0 });
    if (lines.size > LINES_MAX) lines.delete(lines.keys().next().value!);
    log[level](line && line.repeated > 0 ? { ...fields, repeated: line.repeated } : fields, message);
  }

  return {
    warn: (fields, message, about = '') => write('warn', fields, message, about),
    error: (fields, message, about = '') => write('error', fields, message, about),
  };
}
