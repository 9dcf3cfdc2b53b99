import { Fault } from '../../protocol/failures.ts';
import type { Terminal } from '../../server/api/in-person/terminal.resource.ts';
import { reportAction } from '../action-watch.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command } from '../command.ts';
import { oneOf } from '../option.ts';
import { chooseTerminal, terminalParameter, terminalPath } from '../terminal-choice.ts';

const OUTCOMES = ['Succeeded', 'Failed'] as const;
const COPIES = ['merchantCopy', 'customerCopy'] as const;

export const confirmReceipt = command({
  name: 'confirm-receipt',
  summary: 'Say that the point of sale printed a copy, or could not',
  details: 'Without --merchant and --customer, the copy that is waited for is confirmed as Succeeded.',
  parameters: { terminal: terminalParameter },
  options: {
    merchantCopy: oneOf(OUTCOMES, {
      flag: '--merchant <outcome>',
      meaning: 'Merchant copy: Succeeded or Failed',
    }),
    customerCopy: oneOf(OUTCOMES, {
      flag: '--customer <outcome>',
      meaning: 'Customer copy: Succeeded or Failed',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench confirm-receipt', does: 'confirms the copy that is waited for' },
    { line: 'tapbench confirm-receipt --customer Failed', does: 'reverses the payment' },
  ],
  async run({ around, words, options }) {
    const api = connectApi(around, options);
    const terminalId = await chooseTerminal(api, words.terminal);
    const path = terminalPath(terminalId);
    const said = COPIES.filter((copy) => options[copy] !== undefined);
    const copies = said.length > 0 ? said : waiting(await api.get<Terminal>(path));
    const body = Object.fromEntries(copies.map((copy) => [copy, { status: options[copy] ?? 'Succeeded' }]));
    const confirmed = await api.post<Terminal>(`${path}/confirm-receipt`, body);
    return reportAction(around, api, confirmed, { wait: false, json: options.json });
  },
});

/** @throws Fault `bad_setting` when no copy waits for a confirmation. */
function waiting({ action }: Terminal): (typeof COPIES)[number][] {
  const copies = COPIES.filter((copy) => action?.transaction.receiptDetail[copy].status === 'Required');
  if (copies.length === 0) throw new Fault('bad_setting', 'no receipt copy waits for a confirmation');
  return copies;
}
