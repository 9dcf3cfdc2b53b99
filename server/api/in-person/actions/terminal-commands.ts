import { Fault } from '../../../../protocol/failures.ts';
import type { LedgerContext } from '../../ledger/ledger.ts';
import type { Services } from '../../../platform/services.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { readAccount } from '../../accounts/account.records.ts';
import { type TerminalRow, terminals } from '../terminals/terminal.records.ts';
import { type ActionRow, actions } from './action.records.ts';
import {
  commandsToRepeat,
  messageOf,
  numbered,
  startMessage,
  type CommandMessage,
  type NumberedMessage,
} from './command-messages.ts';
import { cardholderOf, isStartCommandDropped } from './magic-amounts.ts';

/** What actions need: they send their terminals commands, and move money. */
export type ActionServices = LedgerContext & Pick<Services, 'gateway' | 'settings' | 'faults'>;

/** Sends a terminal a message after the commit. */
export function sendMessage(
  tx: Transaction,
  services: ActionServices,
  terminalId: string,
  { message, body }: NumberedMessage,
): void {
  tx.afterCommit(() => void services.gateway.send(message, terminalId, body));
}

/** Returns the message that starts an action; none when a magic amount makes the terminal miss it. */
export async function startMessages(
  tx: Transaction,
  services: ActionServices,
  action: Parameters<typeof startMessage>[0] & Pick<ActionRow, 'account_id'>,
  terminal: TerminalRow,
): Promise<CommandMessage[]> {
  const magic = {
    amountMinor: action.amount_minor,
    serialNumber: terminal.serial_number,
    settings: services.settings,
  };
  if (isStartCommandDropped(magic)) return [];
  const account = await readAccount(tx, action.account_id);
  const merchantName = account!.settings.statementDescriptor.descriptor;
  return [startMessage(action, { merchantName, cardholder: cardholderOf(magic) })];
}

/**
 * Sends a terminal again every command of an action that it may have missed, and saves the action.
 * @param options.requestReport whether to request the terminal's reports too, which the server may have missed
 */
export async function repeatCommands(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  { requestReport = false } = {},
): Promise<void> {
  const commands: CommandMessage[] = [];
  for (const command of commandsToRepeat(action, { requestReport })) {
    if (command.type !== 'sendStart') {
      commands.push(messageOf(action, command));
      continue;
    }
    const terminal = await terminals.findAny(tx, action.terminal_id);
    if (!terminal) throw new Fault('internal', 'a terminal with an action in progress is not there');
    commands.push(...(await startMessages(tx, services, action, terminal)));
  }
  await sendAndSave(tx, services, action, commands);
}

/** Requests the reports of the terminal of an action, and saves the action. */
export async function askForReport(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
): Promise<void> {
  await sendAndSave(tx, services, action, [messageOf(action, { type: 'requestReport' })]);
}

async function sendAndSave(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  commands: readonly CommandMessage[],
): Promise<void> {
  const { messages, sentSeq } = numbered(action, commands);
  for (const message of messages) sendMessage(tx, services, action.terminal_id, message);
  actions.save(tx, action, { ...action, sent_seq: sentSeq });
}
