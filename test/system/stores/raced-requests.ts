import { ACCOUNT_RACES } from './account-races.ts';
import { ACTION_RACES } from './action-races.ts';
import { PAYMENT_RACES } from './payment-races.ts';
import { REGISTRATION_RACES } from './registration-races.ts';
import { RESET_RACES } from './reset-races.ts';
import { SUBSCRIPTION_RACES } from './subscription-races.ts';

/** The areas whose requests race each other. */
export const RACED_REQUESTS = [
  ...ACTION_RACES,
  PAYMENT_RACES,
  ACCOUNT_RACES,
  SUBSCRIPTION_RACES,
  REGISTRATION_RACES,
  RESET_RACES,
] as const;

type KeysOf<Pairs> = Pairs extends unknown ? keyof Pairs : never;

/** The guards whose rules those requests touch. */
export type RacedGuard = KeysOf<(typeof RACED_REQUESTS)[number]['pairs']>;
