import { toTimestamp } from '../../protocol/clock.ts';
import { Receipt } from '../../protocol/messages/action.messages.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { toAction, type ActionRow } from '../api/in-person/actions/action.records.ts';
import { findControlledAction } from './sandbox-action.records.ts';
import { SandboxAction } from './sandbox-action.schema.ts';
import { parseJson } from '../platform/store/json-text.ts';

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
  handle: async ({ found }) => ({
    ...toAction(found),
    terminalId: found.terminal_id,
    accountId: found.account_id,
    phase: found.phase,
    deadlineTimestamp: found.deadline_ms === null ? null : toTimestamp(found.deadline_ms),
    deviceReversals: reversalsOf(found),
  }),
});

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

export const sandboxActionRoutes: readonly Route[] = [getSandboxActionRoute, getReceiptRoute];
