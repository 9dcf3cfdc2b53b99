import { readAccount } from '../accounts/account-reading.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { saveAction, type ActionRow } from './action.records.ts';
import {
  commandsToRepeat,
  messageOf,
  startMessage,
  type CommandMessage,
  type TerminalCommand,
} from './command-messages.ts';
import { cardholderOf, isStartCommandDropped } from './magic-amounts.ts';
import { type TerminalRow, terminals } from './terminal.records.ts';

/**
 * Sends a command after the commit. Increments `sent_seq` of the action in place: the caller saves the row.
 */
function send(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  { message, body }: CommandMessage,
): void {
  action.sent_seq += 1;
  const whole = { actionId: action.id, seq: action.sent_seq, ...body };
  tx.afterCommit(() => void services.gateway.send(message, action.terminal_id, whole));
}

/** Sends a command to the terminal of an action. */
export function sendCommand(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  command: TerminalCommand,
): void {
  send(tx, services, action, messageOf(action, command));
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
  const merchantName = account!.settings.statementDescriptor.descriptor;
  send(tx, services, action, startMessage(action, { merchantName, cardholder: cardholderOf(magic) }));
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
  for (const command of commandsToRepeat(action, { requestReport })) {
    if (command.type !== 'sendStart') {
      sendCommand(tx, services, after, command);
      continue;
    }
    // A terminal with an action in progress is not deleted.
    const terminal = (await terminals.findAny(tx, after.terminal_id))!;
    await sendStart(tx, services, after, terminal);
  }
  await saveAction(tx, action, after);
}
