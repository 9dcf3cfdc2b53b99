import type { DeclaredMessage, BodyOf } from '../../../protocol/message.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  StartAction,
} from '../../../protocol/messages/action.messages.ts';
import { readAccount } from '../accounts/account-reading.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { MoneyEffect } from './action-money.ts';
import type { ActionEffect } from './action.machine.ts';
import { saveAction, type ActionRow } from './action.records.ts';
import { cardholderOf, isStartCommandDropped } from './magic-amounts.ts';
import { findAnyTerminal, type TerminalRow } from './terminal.records.ts';

/** How long a cardholder has to present a card: the terminal's own deadline, sent with the start. */
export const PRESENT_CARD_MS = 120_000;

/**
 * Sends a command after the commit. Increments `sent_seq` of the action in place: the caller saves the row.
 */
function send<M extends DeclaredMessage>(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  message: M,
  body: Omit<BodyOf<M>, 'actionId' | 'seq'>,
): void {
  action.sent_seq += 1;
  const whole = { actionId: action.id, seq: action.sent_seq, ...body } as BodyOf<M>;
  tx.afterCommit(() => void services.gateway.send(message, action.terminal_id, whole));
}

/** An effect of an action that is a command to its terminal. */
export type TerminalCommand = Exclude<ActionEffect, { type: MoneyEffect }>;

/** Sends the command of a step to the terminal. */
export function sendCommand(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  command: TerminalCommand,
): void {
  switch (command.type) {
    case 'sendDecision':
      return sendDecision(tx, services, action);
    case 'sendCancel':
      return send(tx, services, action, CancelAction, {});
    case 'confirmReceipt':
      return send(tx, services, action, ConfirmReceipt, { ...command.params, status: 'Succeeded' });
    case 'sendEnd':
      return sendEnd(tx, services, action);
  }
}

function sendDecision(tx: Transaction, services: Services, action: ActionRow): void {
  const { decision, chip } = parseJson(action.decision!);
  send(tx, services, action, DecideAction, { ...decision, ...(chip && { chip }) });
}

function sendEnd(tx: Transaction, services: Services, action: ActionRow): void {
  const status = action.status as 'Succeeded' | 'Failed' | 'Cancelled';
  send(tx, services, action, EndAction, { status, ...(action.error_code && { code: action.error_code }) });
}

/** Sends the start of an action, unless a magic amount makes the terminal miss it. */
export async function sendStart(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  terminal: TerminalRow,
): Promise<void> {
  const magic = {
    amountMinor: action.amount_minor,
    serialNumber: terminal.serial_number,
    settings: services.settings,
  };
  if (isStartCommandDropped(magic)) return;
  const account = await readAccount(tx, action.account_id);
  const cardholder = cardholderOf(magic);
  send(tx, services, action, StartAction, {
    type: action.type,
    paymentSessionId: action.session_id,
    amountMinor: action.amount_minor,
    currency: action.currency as BodyOf<typeof StartAction>['currency'],
    receiptPrintingSource: action.receipt_source,
    expiresAtMs: action.deadline_ms!,
    presentCardMs: PRESENT_CARD_MS,
    merchantName: account!.settings.statementDescriptor.descriptor,
    ...(cardholder && { cardholder }),
  });
}

/**
 * Sends a terminal again every command of an action that it may have missed.
 * @param options.requestReport whether to request the terminal's reports too, which the server may have missed
 */
export async function repeatCommands(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  { requestReport = false } = {},
): Promise<void> {
  const after = { ...action };
  if (after.phase === 'sent') {
    // A terminal with an action in progress is not deleted.
    const terminal = (await findAnyTerminal(tx, after.terminal_id))!;
    await sendStart(tx, services, after, terminal);
  }
  if (after.decision !== null) sendDecision(tx, services, after);
  for (const copy of ['merchantCopy', 'customerCopy'] as const) {
    const status = copy === 'merchantCopy' ? after.merchant_copy : after.customer_copy;
    if (after.receipt_source === 'PointOfSale' && status === 'Succeeded') {
      send(tx, services, after, ConfirmReceipt, { copy, status });
    }
  }
  if (after.status !== 'InProgress') sendEnd(tx, services, after);
  else if (requestReport) send(tx, services, after, RequestReport, {});
  await saveAction(tx, action, after);
}
