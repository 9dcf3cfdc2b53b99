import { Fault } from '../../protocol/failures.ts';
import { formatMinor } from '../../protocol/money.ts';
import type { Action } from '../../server/api/in-person/actions/action.schema.ts';
import type { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { pause, type ServerApi } from './api-client.ts';
import { EXIT } from '../command-line/command.ts';
import { booleanOption } from '../command-line/option.ts';
import { coloured, printJson, type Colour } from '../command-line/output.ts';
import { startProgress } from '../command-line/progress.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** The options of the commands that start an action. */
export const ACTION_OPTIONS = {
  posReceipts: booleanOption('--pos-receipts', 'The point of sale prints the receipts, and confirms them'),
  wait: booleanOption('--wait', 'Wait until the action has ended'),
};

export const ACTION_EXIT_CODES = { [EXIT.notApproved]: 'with --wait: declined, failed or cancelled' };

// Under the sandbox's rate of five a second (Spec §8), so that a point of sale can work beside it.
const POLL_MS = 300;

interface ActionOptions {
  wait: boolean;
  json: boolean;
}

/** Returns the part of an action request that says who prints the receipts; empty when the terminal does. */
export function receiptSettings(posReceipts: boolean) {
  return posReceipts ? { settings: { receiptPrintingSource: 'PointOfSale' as const } } : {};
}

/** Prints a started action, or with `--wait` its outcome. Returns the exit code. */
export async function printAction(
  context: CommandContext,
  api: ServerApi,
  started: Terminal,
  options: ActionOptions,
): Promise<number> {
  const terminal = options.wait ? await pollUntilEnded(context, api, started) : started;
  if (options.json) printJson(context.out, terminal);
  else context.out.write(`${describeAction(context, terminal)}\n`);
  return !options.wait || terminal.action?.status === 'Succeeded' ? EXIT.ok : EXIT.notApproved;
}

const GET_TERMINAL = 'GET /v1/in-person/terminals/{id}';

async function pollUntilEnded(context: CommandContext, api: ServerApi, started: Terminal): Promise<Terminal> {
  const { id: actionId, transaction } = started.action!;
  const progress = startProgress(context, 'Waiting for the cardholder');
  try {
    for (let terminal = started; ; terminal = await api.call(GET_TERMINAL, { params: { id: started.id } })) {
      if (terminal.action?.id !== actionId) {
        throw new Fault(
          'server_answer',
          `another action started on the terminal: fetch ${transaction.paymentSessionId} for the outcome of this one`,
        );
      }
      if (terminal.action.status !== 'InProgress') return terminal;
      progress.show(progressText(terminal.action));
      await pause(context, POLL_MS);
    }
  } finally {
    progress.end();
  }
}

function progressText({ transaction }: Action): string {
  const { merchantCopy, customerCopy } = transaction.receiptDetail;
  const copy = { merchant: merchantCopy, customer: customerCopy };
  const required = Object.entries(copy).find(([, { status }]) => status === 'Required');
  return required
    ? `Approved; waiting for 'tapbench confirm-receipt' of the ${required[0]} copy`
    : "Waiting for the cardholder; 'tapbench clock advance 3m' ends it without one";
}

const COLOURS: Record<Action['status'], Colour> = {
  InProgress: 'yellow',
  Succeeded: 'green',
  Failed: 'red',
  Cancelled: 'yellow',
};

/** Returns the status of an action, with the code and the reason of its error. */
export function describeStatus({ status, error }: Pick<Action, 'status' | 'error'>): string {
  return [status, error?.code, error?.reason && `(${error.reason})`].filter(Boolean).join(' ');
}

/** Returns one line: type, amount, status, receipt copies, payment session id and terminal id. */
function describeAction({ out }: Pick<CommandContext, 'out'>, terminal: Terminal): string {
  const { action } = terminal;
  if (!action) return `${terminal.id}  no action`;
  const { type, amounts, currency, paymentSessionId } = action.transaction;
  const copies = Object.entries(action.transaction.receiptDetail)
    .filter(([, { status: copy }]) => copy !== 'NotRequired')
    .map(([name, { status: copy }]) => `${name} ${copy}`);
  const shown = coloured(out, COLOURS[action.status], describeStatus(action));
  return [
    type,
    formatMinor(amounts.requested, currency),
    shown,
    ...copies,
    paymentSessionId,
    terminal.id,
  ].join('  ');
}
