import type { BodyOf, DeclaredMessage } from '../../../../protocol/message.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  StartAction,
} from '../../../../protocol/messages/action.messages.ts';
import { parseJson } from '../../../platform/store/json-text.ts';
import { PRESENT_CARD_MS, type ActionEffect, type MoneyEffect } from './action.machine.ts';
import type { ActionRow } from './action.records.ts';

/** A command of an action to its terminal, besides its start. */
type TerminalCommand = Exclude<ActionEffect, { type: MoneyEffect }> | { type: 'requestReport' };

/** A message to a terminal without `actionId` and `seq`. */
export interface CommandMessage<M extends DeclaredMessage = DeclaredMessage> {
  message: M;
  body: Omit<BodyOf<M>, 'actionId' | 'seq'>;
}

function commandMessage<M extends DeclaredMessage>(message: M, body: CommandMessage<M>['body']) {
  return { message, body };
}

/** A message to the terminal of an action, with its number. */
export interface NumberedMessage {
  message: DeclaredMessage;
  body: { actionId: string; seq: number };
}

/**
 * Numbers messages of an action after those that it has sent. Returns them, and the number of the last one, which is
 * stored with the action.
 */
export function numbered(
  { id: actionId, sent_seq: sentSeq }: Pick<ActionRow, 'id' | 'sent_seq'>,
  commands: readonly CommandMessage[],
): { messages: NumberedMessage[]; sentSeq: number } {
  const messages = commands.map(({ message, body }, at) => ({
    message,
    body: { actionId, seq: sentSeq + at + 1, ...body },
  }));
  return { messages, sentSeq: sentSeq + messages.length };
}

/** Returns the message of a command. */
export function messageOf(action: ActionRow, command: TerminalCommand): CommandMessage {
  switch (command.type) {
    case 'sendDecision':
      return decisionOf(action);
    case 'sendCancel':
      return commandMessage(CancelAction, {});
    case 'confirmReceipt':
      return commandMessage(ConfirmReceipt, { ...command.params, status: 'Succeeded' });
    case 'sendEnd':
      return endOf(action);
    case 'requestReport':
      return commandMessage(RequestReport, {});
  }
}

/** Returns the message that starts an action on its terminal. */
export function startMessage(
  action: Pick<
    ActionRow,
    'type' | 'session_id' | 'amount_minor' | 'currency' | 'receipt_source' | 'deadline_ms'
  >,
  { merchantName, cardholder }: { merchantName: string; cardholder?: 'walkAway' | 'pressCancel' | undefined },
): CommandMessage<typeof StartAction> {
  return commandMessage(StartAction, {
    type: action.type,
    paymentSessionId: action.session_id,
    amountMinor: action.amount_minor,
    currency: action.currency as BodyOf<typeof StartAction>['currency'],
    receiptPrintingSource: action.receipt_source,
    expiresAtMs: action.deadline_ms!,
    presentCardMs: PRESENT_CARD_MS,
    merchantName,
    ...(cardholder && { cardholder }),
  });
}

/** Returns every command of an action that its terminal may have missed; first the start, if it is not accepted yet. */
export function commandsToRepeat(
  action: ActionRow,
  { requestReport }: { requestReport: boolean },
): (TerminalCommand | { type: 'sendStart' })[] {
  const commands: (TerminalCommand | { type: 'sendStart' })[] = [];
  if (action.phase === 'sent') commands.push({ type: 'sendStart' });
  if (action.decision !== null && !parseJson(action.decision).settled)
    commands.push({ type: 'sendDecision', params: undefined });
  if (action.receipt_source === 'PointOfSale') {
    if (action.merchant_copy === 'Succeeded')
      commands.push({ type: 'confirmReceipt', params: { copy: 'merchantCopy' } });
    if (action.customer_copy === 'Succeeded')
      commands.push({ type: 'confirmReceipt', params: { copy: 'customerCopy' } });
  }
  if (action.status !== 'InProgress') commands.push({ type: 'sendEnd', params: undefined });
  // A terminal answers a start too; a request without it, as when the terminal connects between the two, would look lost.
  else if (requestReport && action.phase !== 'sent') commands.push({ type: 'requestReport' });
  return commands;
}

function decisionOf(action: ActionRow) {
  const { decision, chip } = parseJson(action.decision!);
  return commandMessage(DecideAction, { ...decision, ...(chip && { chip }) });
}

function endOf(action: ActionRow) {
  const status = action.status as 'Succeeded' | 'Failed' | 'Cancelled';
  return commandMessage(EndAction, { status, ...(action.error_code && { code: action.error_code }) });
}
