import type { Terminal } from '../../server/api/in-person/terminal.resource.ts';
import { ACTION_EXITS, ACTION_OPTIONS, receiptSettings, reportAction } from '../action-watch.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command, needed } from '../command.ts';
import { text, toggle } from '../option.ts';
import { chooseTerminal, terminalParameter, terminalPath } from '../terminal-choice.ts';
import { minorUnits } from './pay.ts';

export const refund = command({
  name: 'refund',
  summary: 'Give money of a payment back on a terminal',
  parameters: {
    terminal: terminalParameter,
    session: needed('Id of the payment session, ps_...'),
  },
  options: {
    amount: text({ flag: '--amount <minor>', meaning: 'Minor units', otherwise: 'all that is left' }),
    refundPlatformFee: toggle('--refund-platform-fee', 'Give the platform fee back too, in proportion'),
    ...ACTION_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench refund ps_01J... --wait', does: 'refunds what is left of the payment' },
    { line: 'tapbench refund ps_01J... --amount 500', does: 'refunds 5.00 of it' },
  ],
  exits: ACTION_EXITS,
  async run({ around, words, options }) {
    const amount = options.amount === undefined ? {} : { amount: minorUnits('--amount', options.amount) };
    const api = connectApi(around, options);
    const terminalId = await chooseTerminal(api, words.terminal);
    const started = await api.post<Terminal>(`${terminalPath(terminalId)}/refund`, {
      paymentSession: { id: words.session },
      ...amount,
      refundPlatformFee: options.refundPlatformFee,
      ...receiptSettings(options.posReceipts),
    });
    return reportAction(around, api, started, options);
  },
});
