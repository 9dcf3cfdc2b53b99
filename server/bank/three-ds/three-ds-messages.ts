import { parseOutsideJson, isObject } from '../../../protocol/outside-json.ts';
/** Messages between browser, shop and issuer: JSON in base64url (EMV 3DS 2.2 §6.2.1; RFC 4648 §5). */
export function encode(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Decodes the object in a text, in either base64 alphabet, padded or not; undefined when there is none. */
export function decode(text: string): Record<string, unknown> | undefined {
  if (!BASE64.test(text)) return undefined;
  try {
    const value: unknown = parseOutsideJson(Buffer.from(text, 'base64').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const MESSAGE_VERSION = '2.2.0';

/** Values of a successful authentication: authenticated, or attempted (Table A.1, transStatus). */
const AUTHENTICATED = new Set<unknown>(['Y', 'A']);

/**
 * Returns whether the cardholder was authenticated, from a challenge result or the CRes of the issuer's page; undefined
 * for a text that is not a result of this run.
 */
export function readChallengeResult(text: string, runId: string): boolean | undefined {
  const result = decode(text);
  if (typeof result?.['transStatus'] !== 'string' || !isAbout(result, runId)) return undefined;
  return AUTHENTICATED.has(result['transStatus']);
}

/**
 * Returns whether a text is a fingerprint of a browser. Its transaction id is not compared: the session that it is sent
 * for is known, and the samples of client libraries send one of another run.
 */
export function isFingerprint(text: string): boolean {
  const fingerprint = decode(text);
  if (!fingerprint) return false;
  const completed = fingerprint['threeDSCompInd'];
  return completed === undefined || completed === 'Y' || completed === 'N' || completed === 'U';
}

// A shop may omit the id; one that it sends must match.
function isAbout(message: Record<string, unknown>, runId: string): boolean {
  const id = message['threeDSServerTransID'];
  return id === undefined || id === runId;
}
