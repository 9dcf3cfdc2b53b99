import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

// Keys whose value is a secret wherever they turn up (client secrets, API keys, webhook secrets, card data).
// pino replaces them before a line is written; the depth covers an object and what is directly inside it.
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
  /** Where lines go; standard error by default, so that standard output stays for results. */
  destination?: DestinationStream;
}

/** One JSON line for each record. */
export function createLog(settings: LogSettings): Log {
  return pino(
    {
      level: settings.level,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[secret]' },
    },
    settings.destination ?? pino.destination({ fd: 2, sync: true }),
  );
}

export const silentLog: Log = pino({ level: 'silent' });
