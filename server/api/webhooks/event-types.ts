import { keysOf } from '../../../protocol/tables.ts';

/** The API object in the data of an event, as it was when the event was recorded. */
type EventObject =
  | 'account'
  | 'conversion'
  | 'customer'
  | 'dispute'
  | 'payment session'
  | 'payout'
  | 'payout method'
  | 'person'
  | 'platform fee'
  | 'subscription'
  | 'terminal'
  | 'transfer';

interface EventTypeRow {
  carries: EventObject;
  /** When the event is recorded. */
  when: string;
}

const row = (carries: EventObject, when: string): EventTypeRow => ({ carries, when });

/**
 * Every event type: its name, the object it carries, when it is recorded (Spec §6.1, §6.2). The specification
 * names one of them; the rest are the names that its client libraries know.
 */
const EVENT_TYPES = {
  'PaymentSession.approved': row('payment session', 'the issuer authorised the payment'),
  'PaymentSession.captured': row('payment session', 'a capture succeeded'),
  'PaymentSession.capture_failed': row('payment session', 'a later capture failed'),
  'PaymentSession.declined': row('payment session', 'an attempt was refused: lastError says why'),
  'PaymentSession.requires_action': row(
    'payment session',
    'the cardholder has to act: requiredAction says how',
  ),
  'PaymentSession.voided': row('payment session', 'the authorised amount was released'),
  'PaymentSession.void_failed': row('payment session', 'the authorised amount could not be released'),
  'PaymentSession.refunded': row('payment session', 'a refund succeeded: refundedAmount has grown'),
  'PaymentSession.refund_failed': row('payment session', 'a refund failed'),

  'Account.created': row('account', 'a sub account was created'),
  'Account.updated': row('account', 'a sub account changed'),
  'Account.verification_status_updated': row('account', 'the verification status of a sub account changed'),

  'Person.created': row('person', 'a person was added to a sub account'),
  'Person.updated': row('person', 'a person changed'),
  'Person.deleted': row('person', 'a person was removed'),

  'PayoutMethod.created': row('payout method', 'a payout method was added to a sub account'),
  'PayoutMethod.updated': row('payout method', 'a payout method changed, its status too'),
  'PayoutMethod.deleted': row('payout method', 'a payout method was removed'),

  'Payout.created': row('payout', 'a payout was issued'),
  'Payout.status_updated': row('payout', 'the status of a payout changed'),

  'Customer.created': row('customer', 'a customer was created'),
  'Customer.updated': row('customer', 'a customer changed'),
  'Customer.deleted': row('customer', 'a customer was deleted'),

  'Subscription.created': row('subscription', 'a subscription was created'),
  'Subscription.updated': row('subscription', 'a subscription changed'),
  'Subscription.paused': row('subscription', 'a scheduled pause took effect'),
  'Subscription.resumed': row('subscription', 'billing began again after a pause'),
  'Subscription.cancelled': row('subscription', 'a subscription was cancelled'),
  'Subscription.past_due': row('subscription', 'a payment of a subscription failed'),
  'Subscription.ended': row('subscription', 'the last cycle of a subscription was billed'),

  'Transfer.created': row('transfer', 'money was moved between accounts'),
  'Transfer.updated': row('transfer', 'the status of a transfer changed'),

  'Dispute.created': row('dispute', 'a cardholder disputed a payment'),
  'Dispute.challenged': row('dispute', 'evidence was submitted against a dispute'),
  'Dispute.closed': row('dispute', 'a dispute was decided'),

  'PlatformFee.created': row('platform fee', 'a platform fee was collected'),
  'PlatformFee.refunded': row('platform fee', 'a platform fee was given back'),

  'Conversion.created': row('conversion', 'a currency conversion was ordered'),
  'Conversion.updated': row('conversion', 'a currency conversion moved on'),

  'Terminal.action_updated': row('terminal', 'an action began, or its status or receipt detail changed'),
} as const satisfies Record<string, EventTypeRow>;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = keysOf(EVENT_TYPES);

/** Returns whether an event is stored on the platform: those about an account; others belong to the object's account. */
export function isStoredOnPlatform(type: EventType): boolean {
  return EVENT_TYPES[type].carries === 'account';
}

/** Returns when events of a type are recorded: `a capture succeeded`. */
export function whenRecorded(type: EventType): string {
  return EVENT_TYPES[type].when;
}
