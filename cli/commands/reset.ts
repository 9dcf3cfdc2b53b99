import { connectApi, SANDBOX_OPTIONS } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { printJson } from '../command-line/output.ts';

export const reset = command({
  name: 'reset',
  details:
    'Its keys, its first two accounts and its clock stay. `tapbench up` creates its location, its terminal and the content of its seed file again.',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench reset --sandbox ci-1234', description: 'empties a sandbox' }],
  async run({ context, options }) {
    const accounts = await connectApi(context, options).call('POST /sandbox/reset');
    if (options.json) printJson(context.out, accounts);
    else context.out.write('all data deleted\n');
  },
});
