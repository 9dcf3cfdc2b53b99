import { formatMinor } from '../../../../protocol/money.ts';
import { parseAmount } from '../format.ts';
import type { ActionField, ObjectAction } from './stored-object.ts';

/** What is typed in the fields of a form, by their members. */
export type FieldValues = Readonly<Record<string, string>>;

/** Returns the body of the request of an action; undefined while a field has text that is no value of its type. */
export function actionBody(
  { body, fields }: Pick<ObjectAction, 'body' | 'fields'>,
  values: FieldValues,
): object | undefined {
  let filled: object = body;
  for (const field of fields) {
    const text = (values[field.member] ?? '').trim();
    if (text === '') {
      if (field.required) return undefined;
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined) return undefined;
    filled = withMember(filled, field.member.split('.'), value);
  }
  return filled;
}

/** Returns why an amount that was typed is refused, with the amounts as money; undefined for none that is. */
export function amountProblem(fields: readonly ActionField[], values: FieldValues): string | undefined {
  for (const { member, label, type, maximum, currency } of fields) {
    if (type !== 'amount' || maximum === undefined || currency === undefined) continue;
    const amount = parseAmount(values[member] ?? '');
    if (amount !== undefined && (amount < 1 || amount > maximum))
      return `${label} must be ${formatMinor(1, currency)} to ${formatMinor(maximum, currency)}`;
  }
  return undefined;
}

/** Returns the value of a field; undefined for text that is none. */
export function valueOf({ type }: ActionField, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'amount':
      return parseAmount(text);
    case 'boolean':
      return text === 'true';
    case 'timestamp':
      return secondsOf(text);
    default:
      return text;
  }
}

/** Returns the Unix time of `2026-03-01T14:05`, in UTC. */
function secondsOf(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function withMember(object: object, [name, ...rest]: string[], value: unknown): object {
  const inner = (object as Record<string, object | undefined>)[name!] ?? {};
  return { ...object, [name!]: rest.length === 0 ? value : withMember(inner, rest, value) };
}
