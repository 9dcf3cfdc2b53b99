import { formatMinor } from '../../protocol/money.ts';
import type { Static } from '../../protocol/schema.ts';
import type { SandboxAction as SandboxActionSchema } from '../../server/sandbox-controls/sandbox-action.resource.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { describeStatus } from '../client/print-action.ts';
import { printJson, printLine } from '../command-line/output.ts';
import { actionOption, latestActionId, terminalParameter } from '../client/terminal-choice.ts';

type DeviceReversals = Static<typeof SandboxActionSchema>['deviceReversals'];

/** An action as a server returns it; an older one sends neither reversals nor why an outcome is unknown. */
type SandboxAction = Omit<Static<typeof SandboxActionSchema>, 'deviceReversals' | 'unknownReason'> & {
  deviceReversals?: DeviceReversals;
  unknownReason?: string | null;
};

export const action = command({
  name: 'action',
  parameters: { terminal: terminalParameter },
  options: { action: actionOption, ...CLIENT_OPTIONS },
  examples: [{ line: 'tapbench action', description: 'prints the latest action of the only terminal' }],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const id = options.action ?? (await latestActionId(api, args.terminal));
    const found = await api.call('GET /sandbox/actions/{id}', { params: { id } });
    if (options.json) printJson(context.out, found);
    else printLine(context.out, describe(found));
  },
});

/**
 * Returns one line: id, type, amount, status with its error, state on the server, its deadline, why the outcome of the payment
 * terminal is unknown, and what it reversed.
 */
function describe(found: SandboxAction): string {
  const {
    id,
    status,
    error,
    phase,
    deadlineTimestamp,
    deviceReversals = [],
    unknownReason,
    transaction,
  } = found;
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
  if (unknownReason) parts.push(`outcome unknown (${unknownReason})`);
  parts.push(...deviceReversals.map(describeReversal));
  return parts.join('  ');
}

function describeReversal({ outcome, reference, amount, currency, reason }: DeviceReversals[number]): string {
  const done = outcome === 'Reversed' ? 'reversed at the terminal' : 'not reversed at the terminal';
  const receipt = reference === null ? undefined : `receipt ${reference}`;
  return [done, formatMinor(amount, currency), receipt, reason && `(${reason})`].filter(Boolean).join(' ');
}
