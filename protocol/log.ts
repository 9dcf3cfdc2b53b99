import { pino, type DestinationStream, type Logger } from 'pino';
import type { Clock } from './clock.ts';

export type Log = Logger;

// Keys whose values are secrets (client secrets, API keys, webhook secrets, card data). pino redacts them on the top
// level and one level below.
const SECRET_KEYS = [
  'authorization',
  'Authorization',
  'secret',
  'clientSecret',
  'password',
  'key',
  'pan',
  'track2',
  'pin',
  'initialKey',
  'cipherText',
  'pinBlock',
];

interface LogSettings {
  /** pino's levels, or `silent`. */
  level: string;
  /** Output of the lines; standard error by default. */
  destination?: DestinationStream;
}

/** Creates a log that writes one JSON line for each record. */
export function createLog(settings: LogSettings): Log {
  return pino(
    {
      level: settings.level,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[secret]' },
    },
    settings.destination ?? standardError(),
  );
}

/** Lines that cannot be written, such as to a full disk, are lost: a log must not end the process. */
function standardError(): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on('error', () => undefined);
  return destination;
}

export const silentLog: Log = pino({ level: 'silent' });

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
