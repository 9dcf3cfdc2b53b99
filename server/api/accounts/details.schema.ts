import { DateText, Type } from '../../../protocol/schema.ts';

// Field types of accounts and persons: Spec §2.1. Lengths: docs/choices.md, Details.

export const CalendarDate = DateText('Calendar date in the form `yyyy-MM-dd`', { format: 'date' });

/** The limits of a short text that a person has typed: a name, a number in a register. */
export const TEXT_LIMITS = { minLength: 1, maxLength: 200 };

/** A short text that a person has typed. */
export function Text(description: string, maxLength = TEXT_LIMITS.maxLength) {
  return Type.String({ ...TEXT_LIMITS, maxLength, description });
}
