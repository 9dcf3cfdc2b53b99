import { Type, type Static } from '../schema.ts';

/** Names of the scripts of a simulated cardholder. */
export const CardholderScript = Type.Enum(
  ['tap', 'contact-pin', 'wrong-pin-twice', 'remove-early', 'walk-away', 'press-cancel', 'none'],
  { description: 'What the simulated cardholder does from now on' },
);
export type CardholderScript = Static<typeof CardholderScript>;
