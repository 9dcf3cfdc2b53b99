import { pino, type DestinationStream, type Logger } from 'pino';

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
