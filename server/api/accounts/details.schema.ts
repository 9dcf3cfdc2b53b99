import { Type } from '../../../protocol/schema.ts';

// Field types of accounts and persons: Spec §2.1. Lengths: docs/choices.md, Details.

export const CalendarDate = Type.String({
  format: 'date',
  description: 'Calendar date in the form `yyyy-MM-dd`',
});

/** A short text that a person has typed: a name, a number in a register. */
export function Text(description: string, maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, description });
}
