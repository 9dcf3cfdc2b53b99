import { Fault } from '../../protocol/failures.ts';
import { printAction } from '../client/print-action.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { chooseTerminal } from '../client/terminal-choice.ts';

const OUTCOMES: ReadonlyMap<string, 'Charged' | 'NotCharged'> = new Map([
  ['charged', 'Charged'],
  ['not-charged', 'NotCharged'],
]);

export const settle = command({
  name: 'settle',
  details:
    'For a payment terminal that has not answered, and cannot be asked: look its last transaction up in its journal first. A payment that was charged is captured, without the data of its card; else the action fails.',
  parameters: {
    terminal: required('Id or serial number of the terminal'),
    outcome: required('charged or not-charged'),
  },
  options: CLIENT_OPTIONS,
  examples: [
    {
      line: 'tapbench settle SIM-0001 charged',
      description: 'captures a payment that its payment terminal has taken',
    },
  ],
  async run({ context, args, options }) {
    const outcome = OUTCOMES.get(args.outcome);
    if (!outcome) throw new Fault('bad_setting', 'OUTCOME must be one of: charged, not-charged');
    const api = connectApi(context, options);
    const params = { id: await chooseTerminal(api, args.terminal) };
    const settled = await api.call('POST /sandbox/terminals/{id}/settle', { params, body: { outcome } });
    return printAction(context, api, settled, { wait: false, json: options.json });
  },
});
