import { formatMinor } from '../../protocol/money.ts';
import type { Action } from '../../server/api/in-person/action.schema.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command } from '../command.ts';
import { describeStatus } from '../print-action.ts';
import { printJson, printLine } from '../output.ts';
import { actionOption, latestActionId, terminalParameter } from '../terminal-choice.ts';

interface SandboxAction extends Action {
  phase: string;
  deadlineTimestamp: number | null;
}

export const action = command({
  name: 'action',
  parameters: { terminal: terminalParameter },
  options: { action: actionOption, ...CLIENT_OPTIONS },
  examples: [{ line: 'tapbench action', description: 'prints the latest action of the only terminal' }],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const id = options.action ?? (await latestActionId(api, args.terminal));
    const found = await api.get<SandboxAction>(`/sandbox/actions/${encodeURIComponent(id)}`);
    if (options.json) printJson(context.out, found);
    else printLine(context.out, describe(found));
  },
});

/** Returns one line: id, type, amount, status with its error, state on the server and its deadline. */
function describe({ id, status, error, phase, deadlineTimestamp, transaction }: SandboxAction): string {
  const { type, amounts, currency } = transaction;
  const parts = [
    id,
    type,
    formatMinor(amounts.requested, currency),
    describeStatus({ status, error }),
    phase,
  ];
  if (deadlineTimestamp !== null)
    parts.push(`until ${new Date(deadlineTimestamp * 1000).toISOString().replace('.000Z', 'Z')}`);
  return parts.join('  ');
}
