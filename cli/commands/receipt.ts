import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { enumOption } from '../command-line/option.ts';
import { printJson } from '../command-line/output.ts';
import { actionOption, latestActionId, terminalParameter } from '../client/terminal-choice.ts';

export const receipt = command({
  name: 'receipt',
  parameters: { terminal: terminalParameter },
  options: {
    action: actionOption,
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
    const actionId = options.action ?? (await latestActionId(api, args.terminal));
    const printed = await api.call('GET /sandbox/actions/{id}/receipt', { params: { id: actionId } });
    if (options.json) return printJson(context.out, printed);
    const copies = {
      merchant: [printed.merchantCopy],
      customer: [printed.customerCopy],
      both: [printed.merchantCopy, printed.customerCopy],
    };
    context.out.write(`${copies[options.copy].map((text) => text.trimEnd()).join('\n\n')}\n`);
  },
});
