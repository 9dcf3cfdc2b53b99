import { Fault } from '../../protocol/failures.ts';
import type { Json } from './trigger-path.ts';

/** A member of the body of a step, with the value that the caller chose. */
export interface MemberChange {
  /** Name of the step; the main step of the path unless given. */
  step: string | undefined;
  /** Names of nested members, and positions in arrays: `items.0.amount` as three. */
  path: readonly string[];
  /** The value as it was typed; `readMember` reads it. */
  typed: string;
}

const FORM = /^(?:([a-z][A-Za-z]*):)?([\w-]+(?:\.[\w-]+)*)=(.*)$/s;

/**
 * Parses `member=value` or `step:member=value`.
 * @throws Fault `bad_setting` for a text of another form
 */
export function parseMemberChange(typed: string): MemberChange {
  const [, step, path, text] = FORM.exec(typed) ?? [];
  if (path === undefined || text === undefined) {
    throw new Fault(
      'bad_setting',
      `--set must be a member and its value, such as amount=1742, not '${typed.slice(0, 80)}'`,
    );
  }
  return { step, path: path.split('.'), typed: text };
}

/** Returns a body with one member changed. Objects and arrays on the way to it are created. */
export function changeMember(body: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (isArray(body) || (body === undefined && isPosition(name))) {
    const items = [...(isArray(body) ? body : [])];
    // JSON has no gaps: a position beyond the end is the next one.
    const at = isPosition(name) ? Math.min(Number(name), items.length) : items.length;
    items[at] = changeMember(items[at], rest, value);
    return items;
  }
  const members = isObject(body) ? body : {};
  const changed = changeMember(Object.hasOwn(members, name) ? members[name] : undefined, rest, value);
  return Object.fromEntries([...Object.entries(members), [name, changed]]);
}

const isPosition = (name: string): boolean => /^\d{1,3}$/.test(name);

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
