import { Fault } from '../../protocol/failures.ts';
import type { Receipt } from '../../protocol/messages/action.messages.ts';
import type { Terminal } from '../../server/api/in-person/terminal.schema.ts';
import { CLIENT_OPTIONS, connectApi, type Api } from '../api-client.ts';
import { command } from '../command.ts';
import { enumOption, stringOption } from '../option.ts';
import { printJson } from '../output.ts';
import { chooseTerminal, terminalParameter, terminalPath } from '../terminal-choice.ts';

export const receipt = command({
  name: 'receipt',
  parameters: { terminal: terminalParameter },
  options: {
    action: stringOption({
      flag: '--action <id>',
      description: 'An action of any terminal, tmlact_...',
      defaultText: 'the latest action of the terminal',
    }),
    copy: enumOption(['merchant', 'customer', 'both'], {
      flag: '--copy <which>',
      description: 'merchant, customer or both',
      defaultValue: 'both',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench receipt', description: 'prints both copies of the receipt of the latest action' },
    { line: 'tapbench receipt SIM-0001 --copy customer', description: "prints the cardholder's copy" },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const actionId = options.action ?? (await latestAction(api, args.terminal));
    const printed = await api.get<Receipt>(`/sandbox/actions/${encodeURIComponent(actionId)}/receipt`);
    if (options.json) return printJson(context.out, printed);
    const copies = {
      merchant: [printed.merchantCopy],
      customer: [printed.customerCopy],
      both: [printed.merchantCopy, printed.customerCopy],
    };
    context.out.write(`${copies[options.copy].map((text) => text.trimEnd()).join('\n\n')}\n`);
  },
});

/** Returns the id of the latest action of a terminal. @throws Fault `bad_setting` when it has had none */
async function latestAction(api: Api, terminal: string | undefined): Promise<string> {
  const { action, id } = await api.get<Terminal>(terminalPath(await chooseTerminal(api, terminal)));
  if (action) return action.id;
  throw new Fault('bad_setting', `${id} has had no action: take a payment with 'tapbench pay 1742'`);
}
