import type { EventType } from '../../server/api/webhooks/event-types.ts';
import { ACCOUNT_PATHS } from './account-paths.ts';
import { CUSTOMER_PATHS } from './customer-paths.ts';
import { DISPUTE_PATHS } from './dispute-paths.ts';
import { MONEY_PATHS } from './money-paths.ts';
import { PAYMENT_PATHS } from './payment-paths.ts';
import { SUBSCRIPTION_PATHS } from './subscription-paths.ts';
import { TERMINAL_PATHS } from './terminal-paths.ts';
import type { TriggerPath } from './trigger-path.ts';

/** The path to every event type. Each makes calls of `/v1` and `/sandbox` only. */
export const TRIGGER_PATHS: Record<EventType, TriggerPath> = {
  ...PAYMENT_PATHS,
  ...ACCOUNT_PATHS,
  ...MONEY_PATHS,
  ...CUSTOMER_PATHS,
  ...SUBSCRIPTION_PATHS,
  ...DISPUTE_PATHS,
  ...TERMINAL_PATHS,
};
