import { Fault } from '../../protocol/failures.ts';
import { isOneOf } from '../../protocol/tables.ts';

// What a person types after the name of a control.

/** Returns a value of a control's list. @throws Fault `bad_setting` for a value that is none of them. */
export function chosen<Value extends string>(
  control: string,
  values: readonly Value[],
  value: string | undefined,
): Value {
  if (value !== undefined && isOneOf(values, value)) return value;
  throw new Fault('bad_setting', `${control} takes one of: ${values.join(', ')}`);
}

/** Returns a number of up to so many digits. @throws Fault `bad_setting` for what is none. */
export function countOf(
  control: string,
  text: string | undefined,
  { of = 'messages', digits = 2 } = {},
): number {
  if (text !== undefined && /^[0-9]+$/.test(text) && text.length <= digits) return Number(text);
  throw new Fault('bad_setting', `${control} takes a number of ${of}, up to ${10 ** digits - 1}`);
}

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** Returns the digits of a text. @throws Fault `bad_setting`, which does not repeat it, for anything else in it. */
export function digitsOf(control: string, text: string | undefined): (typeof DIGITS)[number][] {
  const typed = text?.split('') ?? [];
  const digits = typed.filter((each) => isOneOf(DIGITS, each));
  if (digits.length > 0 && digits.length === typed.length) return digits;
  throw new Fault('bad_setting', `${control} takes digits`);
}
