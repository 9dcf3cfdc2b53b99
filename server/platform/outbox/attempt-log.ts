import { maskSecrets, maskSecretsInContent } from '../mask-secrets.ts';
import type { PostAnswer } from '../outgoing.ts';

/** What one attempt of a delivery sent and got, as a line of the log of its delivery. */
interface LoggedAttempt {
  /** Time of the sandbox at which it began. */
  atMs: number;
  /** Real time at which it began. */
  realMs: number;
  elapsedMs: number;
  /** Whether it was made by hand, besides the attempts of the schedule. */
  sentAgain: boolean;
  /** Headers that were sent. */
  headers: Record<string, string>;
  /** Without its secrets; null when there was none. */
  reply: { status: number; headers: Record<string, unknown>; body: string; isCut: boolean } | null;
  /** Why there was no reply; null when there was one. */
  problem: string | null;
}

// The log of a delivery with all its attempts at an endpoint that replies at length.
const LOG_CHARACTERS_MAX = 48_000;
const BODY_CHARACTERS_MAX = 2_000;
const HEADERS_MAX = 30;
const HEADER_CHARACTERS_MAX = 300;

/** Returns SQL that adds a line to the log of a delivery, whose oldest lines are dropped where it is very long. */
export const addLine = (
  line: string,
): string => `attempt_log = SUBSTR(attempt_log, CASE WHEN LENGTH(attempt_log) > ${LOG_CHARACTERS_MAX}
  THEN LENGTH(attempt_log) - ${LOG_CHARACTERS_MAX} + 1 ELSE 1 END) || ${line}`;

/**
 * Returns the reply of an endpoint as it is stored: bounded, and without secrets.
 * @param known secrets that their form does not show
 */
export function loggedReply(
  { status, headers, body, isCut }: PostAnswer,
  known: readonly string[],
): LoggedAttempt['reply'] {
  const shown = maskSecretsInContent(body, { characters: BODY_CHARACTERS_MAX, known });
  const fields = Object.entries(headers)
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => [name, String(value)]);
  return {
    status,
    headers: maskSecrets(Object.fromEntries(fields), {
      nodes: HEADERS_MAX + 1,
      characters: HEADER_CHARACTERS_MAX,
      known,
    }) as Record<string, unknown>,
    body: shown,
    isCut: isCut || body.length > BODY_CHARACTERS_MAX,
  };
}

export function attemptLine(attempt: LoggedAttempt): string {
  return `${JSON.stringify(attempt)}\n`;
}

/** Returns the attempts that the log of a delivery has, oldest first; each with its number, of `count` in all. */
export function attemptsInLog(log: string, count: number): (LoggedAttempt & { number: number })[] {
  const lines = log.split('\n').slice(0, -1);
  // Where older lines were dropped, the first one has lost its beginning.
  if (lines[0] !== undefined && !lines[0].startsWith('{"atMs":')) lines.shift();
  const before = count - lines.length;
  return lines.map((line, index) => ({
    number: before + index + 1,
    ...(JSON.parse(line) as LoggedAttempt),
  }));
}
