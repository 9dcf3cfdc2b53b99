import { printAction } from '../client/print-action.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

export const cancel = command({
  name: 'cancel',
  parameters: { terminal: terminalParameter },
  options: CLIENT_OPTIONS,
  examples: [
    {
      line: 'tapbench cancel SIM-0001',
      description: 'ends the action at once; an approved payment is voided',
    },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const params = { id: terminalId };
    const cancelled = await api.call('POST /v1/in-person/terminals/{id}/cancel-action', { params });
    return printAction(context, api, cancelled, { wait: false, json: options.json });
  },
});
