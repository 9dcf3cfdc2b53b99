import { isObject, parseOutsideJson } from '../../protocol/outside-json.ts';
import { reasonOfNeed, RECEIVER } from './needs.ts';

/** What the texts of a scenario refer to. */
export interface Remembered {
  /** A text of this scenario, run and server alone. */
  unique: string;
  /** Unix timestamp, in seconds. */
  now: number;
  /** Replies by the name that a step gave them. */
  replies: ReadonlyMap<string, unknown>;
}

/** The member of a page that leads to the next. */
const TOKEN = 'paginationToken';

/** Thrown where a text refers to what no step has remembered. */
export class NotRemembered extends Error {}

const REFERENCE = /\$\{([^${}]{1,200})\}/g;
const WHOLE = /^\$\{([^${}]{1,200})\}$/;
/** The only member of an object that is sent as the base64 text of its JSON; in a path, such a text is read. */
const BASE64 = '$base64Json';
const NOW = /^now(?:([+-])(\d{1,10}))?$/;

/**
 * Returns a value with what its texts refer to: `${session.id}`, `${unique}`, `${now+60}`. A text that is one reference
 * becomes what it refers to, with its type.
 * @throws NotRemembered
 */
export function resolved(value: unknown, remembered: Remembered): unknown {
  if (typeof value === 'string') return resolvedText(value, remembered);
  if (Array.isArray(value)) return value.map((item) => resolved(item, remembered));
  if (!isObject(value)) return value;
  if (BASE64 in value)
    return Buffer.from(JSON.stringify(resolved(value[BASE64], remembered))).toString('base64');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      resolvedString(name, remembered),
      resolved(member, remembered),
    ]),
  );
}

/** Returns a text with what it refers to. @throws NotRemembered */
export function resolvedString(text: string, remembered: Remembered): string {
  return text.replaceAll(REFERENCE, (_, reference: string) => String(referred(reference, remembered)));
}

function resolvedText(text: string, remembered: Remembered): unknown {
  const whole = WHOLE.exec(text)?.[1];
  return whole === undefined ? resolvedString(text, remembered) : referred(whole, remembered);
}

function referred(reference: string, { unique, now, replies }: Remembered): unknown {
  if (reference === 'unique') return unique;
  const time = NOW.exec(reference);
  if (time) return now + (time[1] === '-' ? -1 : 1) * Number(time[2] ?? 0);
  const [name = '', ...members] = reference.split('.');
  const value = memberAt(replies.get(name), members);
  if (value === null && members.at(-1) === TOKEN)
    throw new NotRemembered(`there is no further page: ${reference}`);
  if (value === undefined) {
    const isReceiver = reference === RECEIVER;
    throw new NotRemembered(isReceiver ? reasonOfNeed('receiver') : `no step has replied with ${reference}`);
  }
  return value;
}

/** Returns what is at a path of members and positions; undefined when there is nothing. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    if (name === BASE64) return typeof at === 'string' ? readBase64(at) : undefined;
    if (Array.isArray(at)) return /^\d{1,6}$/.test(name) ? at[Number(name)] : undefined;
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);
}

function readBase64(text: string): unknown {
  try {
    return parseOutsideJson(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
