import { toTimestamp } from '../../protocol/clock.ts';
import { Receipt } from '../../protocol/messages/action.messages.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { showAction } from '../api/in-person/action.records.ts';
import type { Services } from '../platform/services.ts';
import { findControlledAction } from './sandbox-action.records.ts';
import { BenchAction } from './sandbox-action.schema.ts';

export function sandboxActionRoutes({ store }: Services): Route[] {
  const common = {
    surface: 'sandbox',
    tag: 'Sandbox action',
    section: 'Sandbox',
    accountHeader: true,
  } as const;
  return [
    route({
      ...common,
      operation: 'GET /sandbox/actions/{id}',
      summary: 'Fetch an action with where it stands at the server',
      reply: BenchAction,
      find: ({ caller, params }) => findControlledAction(store, caller, params['id']!),
      handle: async ({ found }) => ({
        ...showAction(found),
        terminalId: found.terminal_id,
        accountId: found.account_id,
        phase: found.phase,
        deadlineTimestamp: found.deadline_ms === null ? null : toTimestamp(found.deadline_ms),
      }),
    }),
    route({
      ...common,
      operation: 'GET /sandbox/actions/{id}/receipt',
      summary: 'Fetch the receipt of an action, its text and its fields',
      reply: Receipt,
      refusals: ['no_receipt'],
      find: ({ caller, params }) => findControlledAction(store, caller, params['id']!),
      async handle({ found }) {
        if (found.receipt === null) throw new Refusal('no_receipt');
        return JSON.parse(found.receipt) as Receipt;
      },
    }),
  ];
}
