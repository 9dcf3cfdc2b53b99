import { Fault } from '../../protocol/failures.ts';
import type { Terminal } from '../../server/api/in-person/terminal.resource.ts';
import { ACTION_EXITS, ACTION_OPTIONS, receiptSettings, reportAction } from '../action-watch.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command, needed } from '../command.ts';
import { text } from '../option.ts';
import { chooseTerminal, terminalParameter, terminalPath } from '../terminal-choice.ts';

export const pay = command({
  name: 'pay',
  summary: 'Take a payment on a terminal',
  parameters: {
    terminal: terminalParameter,
    amount: needed('Minor units of the currency, 1742 for 17.42'),
  },
  options: {
    currency: text({ flag: '--currency <code>', meaning: 'ISO 4217 code', fallback: 'GBP' }),
    ...ACTION_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench pay 1742', does: 'starts a payment of 17.42 GBP on the only terminal' },
    { line: 'tapbench pay SIM-0001 1742 --wait', does: 'and waits for the outcome' },
  ],
  exits: ACTION_EXITS,
  async run({ around, words, options }) {
    const amount = minorUnits('AMOUNT', words.amount);
    const api = connectApi(around, options);
    const terminalId = await chooseTerminal(api, words.terminal);
    const started = await api.post<Terminal>(`${terminalPath(terminalId)}/payment`, {
      amounts: { requested: amount },
      currency: options.currency,
      ...receiptSettings(options.posReceipts),
    });
    return reportAction(around, api, started, options);
  },
});

/**
 * @param name what the amount is called on the command line, AMOUNT or --amount.
 * @throws Fault `bad_setting` for anything but digits: 17.42 would be taken for either of two amounts.
 */
export function minorUnits(name: string, typed: string): number {
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw new Fault(
    'bad_setting',
    `${name} must be whole minor units, 1742 for 17.42, not '${typed.slice(0, 40)}'`,
  );
}
