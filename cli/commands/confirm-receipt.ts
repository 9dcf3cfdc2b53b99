import { Fault } from '../../protocol/failures.ts';
import type { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { printAction } from '../client/print-action.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { enumOption } from '../command-line/option.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

const OUTCOMES = ['Succeeded', 'Failed'] as const;
const COPIES = ['merchantCopy', 'customerCopy'] as const;

export const confirmReceipt = command({
  name: 'confirm-receipt',
  details: 'Without --merchant and --customer, the required copy is confirmed as Succeeded.',
  parameters: { terminal: terminalParameter },
  options: {
    merchantCopy: enumOption(OUTCOMES, {
      flag: '--merchant <outcome>',
      description: 'Merchant copy: Succeeded or Failed',
    }),
    customerCopy: enumOption(OUTCOMES, {
      flag: '--customer <outcome>',
      description: 'Customer copy: Succeeded or Failed',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench confirm-receipt', description: 'confirms the required copy' },
    { line: 'tapbench confirm-receipt --customer Failed', description: 'reverses the payment' },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const params = { id: terminalId };
    const said = COPIES.filter((copy) => options[copy] !== undefined);
    const copies =
      said.length > 0 ? said : waiting(await api.call('GET /v1/in-person/terminals/{id}', { params }));
    const body = Object.fromEntries(copies.map((copy) => [copy, { status: options[copy] ?? 'Succeeded' }]));
    const confirmed = await api.call('POST /v1/in-person/terminals/{id}/confirm-receipt', { params, body });
    return printAction(context, api, confirmed, { wait: false, json: options.json });
  },
});

/** Returns the copies that require a confirmation. @throws Fault `bad_setting` when there are none. */
function waiting({ action }: Terminal): (typeof COPIES)[number][] {
  const copies = COPIES.filter((copy) => action?.transaction.receiptDetail[copy].status === 'Required');
  if (copies.length === 0) throw new Fault('bad_setting', 'no receipt copy requires a confirmation');
  return copies;
}
