import type { DomainEvent } from '../../platform/domain-events.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { LedgerContext } from '../ledger/ledger.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { toSessionEventData } from './payment-session-view.ts';

type SessionEventType = Extract<EventType, `PaymentSession.${string}`>;

/** A payment session, and what is done with it in a transaction. */
export interface PaymentContext {
  tx: Transaction;
  services: LedgerContext;
  session: PaymentSessionRow;
  /** Id of the object whose events are delivered in one order with the session's; by default the session's own. */
  inOrderOf?: string | undefined;
  /**
   * Time at which an attempt began whose outcome comes later, epoch milliseconds: a session that was open then takes the
   * outcome, also after its lifetime. By default the outcome comes at once.
   */
  begunMs?: number | undefined;
  /** Whether the server charges a stored card without the cardholder. */
  unattended?: boolean;
}

/** A session as it was when its event was raised. */
interface RaisedSession {
  session: PaymentSessionRow;
  unattended: boolean;
}

/** Raises an event with the current session as its data, and the id of the transaction that it is about, if any. */
export function raiseSessionEvent(
  { tx, services, session, inOrderOf = session.id, unattended = false }: PaymentContext,
  type: SessionEventType,
  transactionId?: string,
): void {
  const { account_id: accountId } = session;
  const detail: RaisedSession = { session, unattended };
  const data = toSessionEventData(session, transactionId);
  raise(tx, services, { type, accountId, data, inOrderOf, detail });
}

/** Subscribes to an event of sessions, for areas that payments do not know. What the subscriber throws undoes the payment. */
export function onSessionEvent(
  { events }: Pick<Context, 'events'>,
  type: SessionEventType,
  subscriber: (tx: Transaction, raised: RaisedSession) => Promise<void>,
): void {
  events.subscribe(type, (tx, { detail }: DomainEvent) => subscriber(tx, detail as RaisedSession));
}
