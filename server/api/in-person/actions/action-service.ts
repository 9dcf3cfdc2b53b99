import { Fault } from '../../../../protocol/failures.ts';
import type { Static } from '../../../../protocol/schema.ts';
import type { Caller } from '../../../platform/http/auth.ts';
import { Refusal } from '../../../platform/http/refusals.ts';
import type { Services } from '../../../platform/services.ts';
import { retryOnUniqueViolation, type Transaction } from '../../../platform/store/store.ts';
import type { NewOf } from '../../../platform/store/stored-property.ts';
import { hasCapability } from '../../accounts/account-profile.ts';
import { readCallerAccount, type Account } from '../../accounts/account.records.ts';
import { refuseAmount, refusePlatformFee } from '../../payments/amount.rules.ts';
import { createSession, lockSession, markSessionChanged } from '../../payments/payment-session.records.ts';
import type { PaymentSessionRow } from '../../payments/payment-session-row.ts';
import type { PaymentServices } from '../../payments/payment-services.ts';
import { type TerminalRow, reserveTerminal, terminals, toTerminal } from '../terminals/terminal.records.ts';
import type { Terminal as TerminalSchema } from '../terminals/terminal.schema.ts';
import {
  type ACTION,
  actions,
  findActionInProgress,
  isRefundInFlight,
  type ActionRow,
  ACTION_GUARDS,
} from './action.records.ts';
import { ACCEPT_MS } from './action.machine.ts';
import { applyActionEvent, DEADLINE_JOB, raiseTerminalEvent, emitActionStep } from './apply-action-event.ts';
import { eventsOfConfirmation, isAtPaymentTerminal, refundAmountOf, refuseNoCopy } from './action.rules.ts';
import type { ReceiptConfirmation, TerminalPayment, TerminalRefund } from './action.schema.ts';
import { numbered } from './command-messages.ts';
import { sendMessage, startMessages, type ActionServices } from './terminal-commands.ts';

type Terminal = Static<typeof TerminalSchema>;
type PaymentBody = Static<typeof TerminalPayment>;
type RefundBody = Static<typeof TerminalRefund>;
type ConfirmationBody = Static<typeof ReceiptConfirmation>;

/**
 * Starts a payment on a terminal and returns the terminal with the new action (Spec §4.12).
 * @param actionId id of the action; a new one by default
 * @throws Refusal for an amount, a currency or a fee that the account may not take, or a busy terminal.
 */
export function startPayment(
  services: ActionServices,
  caller: Caller,
  terminalId: string,
  body: PaymentBody,
  actionId?: string,
): Promise<Terminal> {
  const { requested } = body.amounts;
  return retryOnUniqueViolation(
    services.store,
    async (tx) => {
      tx.lockRow('terminals', terminalId);
      const account = await readCallerAccount(tx, caller.accountId);
      if (!hasCapability(account, 'inPersonPayments')) throw new Refusal('in_person_not_enabled');
      refuseAmount(requested, body.currency, account.settings.currencies, 'amounts.requested');
      refusePlatformFee(body.paymentSession?.platformFee, requested, caller, 'paymentSession.platformFee');
      const reserved = await reserveForAction(tx, services, terminalId, actionId);
      const session = await createInPersonSession(tx, services, body, account);
      return startAction(tx, services, reserved, {
        type: 'Payment',
        paymentSessionId: session.id,
        amount: session.amount_minor,
        currency: session.currency,
        receiptSource: body.settings?.receiptPrintingSource ?? 'Terminal',
        refundPlatformFee: false,
      });
    },
    { guardedBy: ACTION_GUARDS },
  );
}

/**
 * Starts a refund of an in-person payment on a terminal and returns the terminal with the new action (Spec §4.12).
 * @param actionId id of the action; a new one by default
 * @throws Refusal for a payment session that cannot be refunded by that amount, or a busy terminal.
 */
export function startRefund(
  services: PaymentServices,
  caller: Caller,
  terminalId: string,
  body: RefundBody,
  actionId?: string,
): Promise<Terminal> {
  const { refundPlatformFee = false } = body;
  return retryOnUniqueViolation(
    services.store,
    async (tx) => {
      tx.lockRow('terminals', terminalId);
      const session = await lockSession(tx, caller.accountId, body.paymentSession.id);
      if (!session) throw new Refusal('not_found', { what: 'payment session' });
      const inFlight = await isRefundInFlight(tx, session.id);
      const disputedMinor = await services.refundHolds.disputedMinorOf(tx, session.id);
      const request = { amountMinor: body.amount, refundPlatformFee, inFlight, disputedMinor };
      const amountMinor = refundAmountOf(session, request);
      const reserved = await reserveForAction(tx, services, terminalId, actionId);
      await markSessionChanged(tx, session.id);
      return startAction(tx, services, reserved, {
        type: 'Refund',
        paymentSessionId: session.id,
        amount: amountMinor,
        currency: session.currency,
        receiptSource: body.settings?.receiptPrintingSource ?? 'Terminal',
        refundPlatformFee,
      });
    },
    { guardedBy: ACTION_GUARDS },
  );
}

/**
 * Cancels the action in progress of a terminal and returns the terminal.
 * @throws Refusal `no_action`, or `at_payment_terminal` when only its outcome or a person can end it.
 */
export function cancelAction(services: ActionServices, terminalId: string): Promise<Terminal> {
  return services.store.transaction(
    async (tx) => {
      const action = await requireActionInProgress(tx, terminalId);
      if (isAtPaymentTerminal(action)) throw new Refusal('at_payment_terminal');
      const cancelled = await applyActionEvent(tx, services, action, { type: 'action.cancelled' });
      return readTerminalWith(tx, terminalId, cancelled ?? action);
    },
    { guardedBy: ACTION_GUARDS },
  );
}

/**
 * Applies what the point of sale reports of its receipt copies and returns the terminal.
 * @throws Refusal when no copy is named, no action is in progress, or a copy is not required.
 */
export async function confirmReceipt(
  services: ActionServices,
  terminalId: string,
  body: ConfirmationBody,
): Promise<Terminal> {
  refuseNoCopy(body);
  return services.store.transaction(
    async (tx) => {
      let action = await requireActionInProgress(tx, terminalId);
      for (const event of eventsOfConfirmation(action, body)) {
        action = (await applyActionEvent(tx, services, action, event)) ?? action;
      }
      return readTerminalWith(tx, terminalId, action);
    },
    { guardedBy: ACTION_GUARDS },
  );
}

/**
 * Makes a new action the latest one of its terminal.
 * @throws Refusal when the terminal has an action in progress, or is deleted
 */
async function reserveForAction(
  tx: Transaction,
  { clock, ids }: Pick<Services, 'clock' | 'ids'>,
  terminalId: string,
  actionId = ids.make('action'),
) {
  const terminal = await reserveTerminal(tx, terminalId, actionId, clock.nowMs());
  if (terminal) return { actionId, terminal };
  if (await findActionInProgress(tx, terminalId)) throw new Refusal('terminal_busy');
  throw new Refusal('not_found', { what: 'terminal' });
}

/** Inserts an action with its deadline, raises its first event and sends it to the terminal. */
async function startAction(
  tx: Transaction,
  services: ActionServices,
  { actionId, terminal }: { actionId: string; terminal: TerminalRow },
  action: Omit<NewOf<typeof ACTION>, 'deadlineMs' | 'id' | 'accountId' | 'terminalId'>,
): Promise<Terminal> {
  const nowMs = services.clock.nowMs();
  const deadlineMs = nowMs + ACCEPT_MS;
  const { account_id: accountId, id: terminalId } = terminal;
  const row = actions.newRow({ ...action, id: actionId, accountId, terminalId, deadlineMs }, nowMs);
  const commands = await startMessages(tx, services, row, terminal);
  const { messages, sentSeq } = numbered(row, commands);
  row.sent_seq = sentSeq;
  await actions.insertRow(tx, row);
  await services.jobs.add(tx, { kind: DEADLINE_JOB, key: row.id, dueMs: deadlineMs });
  emitActionStep(tx, services, row, { event: 'action.started', from: null });
  for (const message of messages) sendMessage(tx, services, terminal.id, message);
  raiseTerminalEvent(tx, services, row, terminal);
  return toTerminal(terminal, row);
}

/** Locks a terminal and returns its action in progress. @throws Refusal `no_action`. */
async function requireActionInProgress(tx: Transaction, terminalId: string): Promise<ActionRow> {
  tx.lockRow('terminals', terminalId);
  const action = await findActionInProgress(tx, terminalId);
  if (!action) throw new Refusal('no_action');
  return action;
}

/** Returns the terminal, read in this transaction, with this action. */
export async function readTerminalWith(
  tx: Transaction,
  terminalId: string,
  action: ActionRow,
): Promise<Terminal> {
  const terminal = await terminals.findAny(tx, terminalId);
  if (!terminal) throw new Fault('internal', 'a terminal with an action in progress is not there');
  return toTerminal(terminal, action);
}

function createInPersonSession(
  tx: Transaction,
  services: ActionServices,
  body: PaymentBody,
  { id, settings }: Account,
): Promise<PaymentSessionRow> {
  const { platformFee, metadata, paymentSettings } = body.paymentSession ?? {};
  return createSession(tx, services, settings, {
    accountId: id,
    amount: body.amounts.requested,
    currency: body.currency,
    entryMode: 'InPerson',
    captureFlow: 'Automatic',
    platformFee,
    metadata,
    paymentSettings,
  });
}
