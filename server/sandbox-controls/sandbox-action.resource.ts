import {
  AmountMinor,
  CreatedTimestamp,
  CurrencyText,
  Id,
  Nullable,
  Timestamp,
  Type,
  withDescription,
} from '../../protocol/schema.ts';
import { toTimestamp } from '../../protocol/clock.ts';
import { Receipt } from '../../protocol/messages/action.messages.ts';
import { Action } from '../api/in-person/actions/action.schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import { settleOutcome } from '../api/in-person/actions/settle-outcome.ts';
import { terminalById } from '../api/in-person/terminals/terminal.resource.ts';
import { Terminal } from '../api/in-person/terminals/terminal.schema.ts';
import type { PaymentServices } from '../api/payments/payment-services.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { type ActionRow, toAction } from '../api/in-person/actions/action.records.ts';
import type { Queries } from '../platform/store/store.ts';
import { route, routeFor, type Route } from '../platform/http/route.ts';
import { parseJson } from '../platform/store/json-text.ts';

const DeviceReversal = Type.Object({
  reference: Nullable(
    Type.String(),
    'Reference of the transaction at the terminal: for ZVT its receipt number, and the id of the terminal. Null when the terminal gave none.',
  ),
  outcome: Type.Enum(['Reversed', 'NotReversed'], { description: 'Whether the transaction is reversed' }),
  amount: withDescription(AmountMinor, 'Amount of the transaction, in minor units of `currency`'),
  currency: CurrencyText(
    'ISO 4217 code of the currency of the transaction; `XXX` for one that is not accepted here',
  ),
  reason: Nullable(Type.String(), 'Why it is not reversed, in words; null when it is'),
  createdTimestamp: withDescription(
    CreatedTimestamp,
    'Time at which the terminal answered: a Unix timestamp, in seconds',
  ),
});

/** An action as the server sees it: the fields of the API, and the state of its machine. */
export const SandboxAction = Type.Object(
  {
    ...Action.properties,
    terminalId: Id('terminal'),
    accountId: Id('account'),
    phase: Type.String({ description: "State of the action's state machine on the server" }),
    deadlineTimestamp: Nullable(
      Timestamp,
      'Time at which the current state times out: a Unix timestamp, in seconds. Null when it does not.',
    ),
    unknownReason: Nullable(
      Type.String(),
      'Why the outcome of its payment terminal is not known, in words; null when it is, or the terminal gave no reason',
    ),
    deviceReversals: Type.Array(DeviceReversal, {
      description:
        'What its payment terminal reversed at its own bank, or could not, the oldest first. The payment stays as it is.',
    }),
  },
  { title: 'SandboxAction', description: 'A terminal action with its internal state' },
);

/**
 * Returns an action in the caller's scope.
 * @throws Refusal `not_found`.
 */
export async function findControlledAction(queries: Queries, caller: Caller, id: string): Promise<ActionRow> {
  const scope = accountScopeOf(caller);
  const row = await queries.get<ActionRow>(
    `SELECT * FROM actions WHERE id = ? AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
  if (!row) throw new Refusal('not_found', { what: 'action' });
  return row;
}

const common = {
  surface: 'sandbox',
  tag: 'Sandbox action',
  section: 'Sandbox',
  accountHeader: true,
} as const;

const getSandboxActionRoute = route({
  ...common,
  operation: 'GET /sandbox/actions/{id}',
  summary: 'Retrieve an action with its state on the server',
  reply: SandboxAction,
  find: ({ services: { store }, caller, params }) => findControlledAction(store, caller, params.id),
  handle: async ({ found }) => toSandboxAction(found),
});

/** Returns an action with what only the sandbox shows of it. */
function toSandboxAction(row: ActionRow) {
  return {
    ...toAction(row),
    terminalId: row.terminal_id,
    accountId: row.account_id,
    phase: row.phase,
    deadlineTimestamp: row.deadline_ms === null ? null : toTimestamp(row.deadline_ms),
    unknownReason: row.phase === 'outcomeUnknown' ? row.error_reason : null,
    deviceReversals: reversalsOf(row),
  };
}

function reversalsOf({ device_reversals: stored }: ActionRow) {
  if (stored === null) return [];
  return parseJson(stored).map(({ amountMinor, atMs, ...reversal }) => ({
    ...reversal,
    amount: amountMinor,
    createdTimestamp: toTimestamp(atMs),
  }));
}

const getReceiptRoute = route({
  ...common,
  operation: 'GET /sandbox/actions/{id}/receipt',
  summary: 'Retrieve the receipt of an action, its text and its fields',
  reply: Receipt,
  refusals: ['no_receipt'],
  find: ({ services: { store }, caller, params }) => findControlledAction(store, caller, params.id),
  async handle({ found }) {
    if (found.receipt === null) throw new Refusal('no_receipt');
    return parseJson(found.receipt);
  },
});

const Settlement = Type.Object({
  outcome: Type.Enum(['Charged', 'NotCharged'], {
    description:
      'What the journal of the payment terminal says: whether the card was charged, or the refund was made',
  }),
});

const settleRoute = routeFor<PaymentServices>()({
  operation: 'POST /sandbox/terminals/{id}/settle',
  summary: 'End an action whose outcome at a payment terminal is unknown, as a person found it there',
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  body: Settlement,
  reply: Terminal,
  refusals: ['nothing_to_settle'],
  find: terminalById,
  handle: ({ services, body, found }) => settleOutcome(services, found.id, body.outcome),
});

export const sandboxActionRoutes: readonly Route[] = [getSandboxActionRoute, getReceiptRoute, settleRoute];
