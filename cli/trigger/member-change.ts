import { Fault } from '../../protocol/failures.ts';
import type { Json, Operation } from './trigger-path.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';

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

/**
 * Reads a typed value as the body of an operation declares the member: as text where it is a string, else as JSON, or
 * as text when it is not JSON. The names of the operation's parameters do not matter.
 * @throws Fault `bad_setting` for a member that the body cannot have, with those that it can: the API ignores it
 */
export async function readMember(
  operation: Operation,
  path: readonly string[],
  typed: string,
): Promise<Json> {
  const { ROUTES } = await import('../../server/routes.ts');
  const unnamed = (text: string) => text.replace(/\{[^}]*\}/g, '{}');
  const route = ROUTES.find(({ method, path: url }) => unnamed(`${method} ${url}`) === unnamed(operation));
  const found = route?.body ? memberAt(route.body, path) : { problem: `'${path.join('.')}': it has none` };
  if ('member' in found) return valueOf(typed, found.member);
  throw new Fault('bad_setting', `--set: ${operation} has no member ${found.problem}`);
}

/** The parts of a schema that say what its values are. */
interface Shape {
  type?: string;
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
}

type Found = { member: Shape } | { problem: string };

function memberAt(schema: Shape, path: readonly string[], depth = 0): Found {
  const name = path[depth];
  if (name === undefined) return { member: schema };
  const { anyOf, items, properties = {}, additionalProperties } = schema;
  if (anyOf) {
    const found = anyOf.map((one) => memberAt(one, path, depth));
    return found.find((one) => 'member' in one) ?? found[0]!;
  }
  if (items && /^\d{1,3}$/.test(name)) return memberAt(items, path, depth + 1);
  if (Object.hasOwn(properties, name)) return memberAt(properties[name]!, path, depth + 1);
  if (additionalProperties)
    return memberAt(additionalProperties === true ? {} : additionalProperties, path, depth + 1);
  if (Object.keys(schema).length === 0) return { member: schema };
  const members = items ? ['0', '1, ...'] : Object.keys(properties);
  const there = members.length === 0 ? 'none' : members.join(', ');
  const within = path.slice(0, depth).join('.');
  return { problem: `'${path.slice(0, depth + 1).join('.')}': ${within || 'it'} has ${there}` };
}

function valueOf(typed: string, member: Shape): Json {
  const value = parsed(typed);
  if (!isText(member) || typeof value === 'string') return value;
  return value === null && member.anyOf ? null : typed;
}

function isText({ type, enum: values = [], anyOf = [] }: Shape): boolean {
  return type === 'string' || values.some((value) => typeof value === 'string') || anyOf.some(isText);
}

function parsed(text: string): Json {
  try {
    return parseOutsideJson(text) as Json;
  } catch {
    return text;
  }
}
