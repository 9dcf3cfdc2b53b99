import type { Static } from '../../../protocol/schema.ts';
import { hasCapability } from '../accounts/account-profile.ts';
import { readAccount } from '../accounts/account-reading.ts';
import type { AccountSettings } from '../accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { refuseAmount, refusePlatformFee } from '../payments/amount.rules.ts';
import { createSession } from '../payments/create-session.ts';
import { findSession, type PaymentSessionRow } from '../payments/payment-session.records.ts';
import type { Services } from '../../platform/services.ts';
import { UniqueViolation, type Store, type Transaction } from '../../platform/store/store.ts';
import {
  ACCEPT_MS,
  applyActionEvent,
  DEADLINE_JOB,
  raiseTerminalEvent,
  isStartLost,
  sendStart,
  emitActionStep,
} from './action-conductor.ts';
import {
  findActionInProgress,
  insertAction,
  isRefundInFlight,
  type ActionRow,
  type NewAction,
} from './action.records.ts';
import { eventsOfConfirmation, refundAmountOf, refuseNoCopy } from './action.rules.ts';
import { findAnyTerminal, reserveTerminal, showTerminal, type TerminalRow } from './terminal.records.ts';
import { terminalById } from './terminal.resource.ts';
import { Terminal } from './terminal.schema.ts';
import { TerminalPayment, TerminalRefund, ReceiptConfirmation } from './action.schema.ts';

/**
 * Makes a new action the latest one of its terminal.
 * @throws Refusal when the terminal has an action in progress, or is deleted
 */
async function reserve(tx: Transaction, { clock, ids }: Services, terminalId: string) {
  const actionId = ids.make('action');
  const terminal = await reserveTerminal(tx, terminalId, actionId, clock.nowMs());
  if (terminal) return { actionId, terminal };
  if (await findActionInProgress(tx, terminalId)) throw new Refusal('terminal_busy');
  throw new Refusal('not_found', { what: 'terminal' });
}

/** Writes an action, its deadline and its first event, and sends it to the terminal. */
async function start(
  tx: Transaction,
  services: Services,
  { actionId, terminal }: { actionId: string; terminal: TerminalRow },
  action: Omit<NewAction, 'deadline_ms' | 'id' | 'account_id' | 'terminal_id' | 'sent_seq'>,
): Promise<Static<typeof Terminal>> {
  const nowMs = services.clock.nowMs();
  const deadlineMs = nowMs + ACCEPT_MS;
  const row = await insertAction(
    tx,
    {
      ...action,
      id: actionId,
      account_id: terminal.account_id,
      terminal_id: terminal.id,
      deadline_ms: deadlineMs,
      sent_seq: isStartLost(services, action.amount_minor) ? 0 : 1,
    },
    nowMs,
  );
  await services.jobs.add(tx, { kind: DEADLINE_JOB, subject: row.id, dueMs: deadlineMs });
  emitActionStep(tx, services, row, { event: 'action.started', from: null });
  await sendStart(tx, services, { ...row, sent_seq: 0 }, terminal);
  raiseTerminalEvent(tx, services, row, terminal);
  return showTerminal(terminal, row);
}

/**
 * Runs the transaction that starts an action. Of two at once, PostgreSQL may let one find the other's row by a
 * unique index alone: run again, it sees that row, and is refused for what it says.
 */
async function transact<T>(store: Store, body: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await store.transaction(body);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return store.transaction(body);
  }
}

async function actionInProgress(tx: Transaction, terminalId: string): Promise<ActionRow> {
  const action = await findActionInProgress(tx, terminalId);
  if (!action) throw new Refusal('no_action');
  return action;
}

/** A terminal as it stands in this transaction, after a step of its action. */
async function showAfter(
  tx: Transaction,
  terminalId: string,
  action: ActionRow,
): Promise<Static<typeof Terminal>> {
  const terminal = await findAnyTerminal(tx, terminalId);
  return showTerminal(terminal!, action); // one with an action in progress is not deleted
}

function newSession(
  tx: Transaction,
  services: Services,
  caller: Caller,
  body: Static<typeof TerminalPayment>,
  settings: AccountSettings,
): Promise<PaymentSessionRow> {
  const { platformFee, metadata, paymentSettings } = body.paymentSession ?? {};
  return createSession(tx, services, settings, {
    accountId: caller.accountId,
    amountMinor: body.amounts.requested,
    currency: body.currency,
    entryMode: 'InPerson',
    captureFlow: 'Automatic',
    platformFeeMinor: platformFee,
    metadata,
    paymentSettings,
  });
}

const common = {
  tag: 'In-person terminal',
  section: 'Spec §4.12',
  access: 'dashboard',
  accountHeader: true,
  reply: Terminal,
  find: terminalById,
} as const;

const startPaymentRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/payment',
  summary: 'Take a payment. The outcome is sent as events.',
  body: TerminalPayment,
  refusals: [
    'amount_out_of_range',
    'currency_disabled',
    'in_person_not_enabled',
    'fee_without_account',
    'fee_too_large',
    'terminal_busy',
  ],
  async handle({ services, caller, body, found }) {
    const { requested } = body.amounts;
    return transact(services.store, async (tx) => {
      const account = (await readAccount(tx, caller.accountId))!;
      const { settings } = account;
      if (!hasCapability(account, 'inPersonPayments')) throw new Refusal('in_person_not_enabled');
      refuseAmount(requested, body.currency, settings.currencies, 'amounts.requested');
      refusePlatformFee(body.paymentSession?.platformFee, requested, caller, 'paymentSession.platformFee');
      const reserved = await reserve(tx, services, found.id);
      const session = await newSession(tx, services, caller, body, settings);
      return start(tx, services, reserved, {
        type: 'Payment',
        session_id: session.id,
        amount_minor: session.amount_minor,
        currency: session.currency,
        receipt_source: body.settings?.receiptPrintingSource ?? 'Terminal',
        refund_platform_fee: 0,
      });
    });
  },
});

const startRefundRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/refund',
  summary: 'Refund an in-person payment, whole or in part',
  body: TerminalRefund,
  refusals: [
    'not_found',
    'refund_not_in_person',
    'refund_not_captured',
    'refund_in_flight',
    'refund_disputed',
    'nothing_left',
    'refund_too_large',
    'no_platform_fee',
    'terminal_busy',
  ],
  handle({ services, caller, body, found }) {
    const { refundPlatformFee = false } = body;
    return transact(services.store, async (tx) => {
      const session = await findSession(tx, caller.accountId, body.paymentSession.id);
      if (!session) throw new Refusal('not_found', { what: 'payment session' });
      const inFlight = await isRefundInFlight(tx, session.id);
      const disputedMinor = await services.refundHolds.disputedMinorOf(tx, session.id);
      const request = { amountMinor: body.amount, refundPlatformFee, inFlight, disputedMinor };
      const amountMinor = refundAmountOf(session, request);
      const reserved = await reserve(tx, services, found.id);
      return start(tx, services, reserved, {
        type: 'Refund',
        session_id: session.id,
        amount_minor: amountMinor,
        currency: session.currency,
        receipt_source: body.settings?.receiptPrintingSource ?? 'Terminal',
        refund_platform_fee: refundPlatformFee ? 1 : 0,
      });
    });
  },
});

const cancelActionRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/cancel-action',
  summary: 'Cancel the action in progress, whether or not the terminal is connected',
  refusals: ['no_action'],
  handle: ({ services, found }) =>
    services.store.transaction(async (tx) => {
      const action = await actionInProgress(tx, found.id);
      const ended = await applyActionEvent(tx, services, action, { type: 'action.cancelled' });
      return showAfter(tx, found.id, ended ?? action);
    }),
});

const confirmReceiptRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/confirm-receipt',
  summary: 'Confirm that the point of sale printed a copy of the receipt, or could not',
  body: ReceiptConfirmation,
  refusals: ['no_action', 'no_copy_named', 'copy_not_required'],
  handle({ services, body, found }) {
    refuseNoCopy(body);
    return services.store.transaction(async (tx) => {
      let action = await actionInProgress(tx, found.id);
      for (const event of eventsOfConfirmation(action, body)) {
        action = (await applyActionEvent(tx, services, action, event)) ?? action;
      }
      return showAfter(tx, found.id, action);
    });
  },
});

export const actionRoutes: readonly Route[] = [
  startPaymentRoute,
  startRefundRoute,
  cancelActionRoute,
  confirmReceiptRoute,
];
