import { Type } from '../../protocol/schema.ts';
import { reachOf } from '../accounts/reach.ts';
import { Refusal } from '../http/refusals.ts';
import { route, type Route } from '../http/route.ts';
import type { PayoutFact } from '../payouts/payout.machine.ts';
import { findAnyPayout, findPayoutWithin, showPayout } from '../payouts/payout.records.ts';
import { Payout } from '../payouts/payout.schema.ts';
import { movePayout } from '../payouts/payouts.ts';
import type { Services } from '../services.ts';

const FACTS = {
  Completed: 'bank.paid',
  Failed: 'bank.refused',
  Returned: 'bank.returned',
} as const satisfies Record<string, PayoutFact['type']>;

/** What the bank would say. */
export function payoutOutcomeRoutes(services: Services): Route[] {
  const { store } = services;
  return [
    route({
      surface: 'sandbox',
      tag: 'Sandbox payout',
      section: 'Sandbox',
      accountHeader: true,
      operation: 'POST /sandbox/payouts/{id}/outcome',
      summary: 'Complete or fail a payout that is InProgress, or return one that is Completed',
      body: Type.Object({ status: Type.Enum(['Completed', 'Failed', 'Returned']) }),
      reply: Payout,
      refusals: ['payout_settled'],
      find: ({ caller, params }) => findPayoutWithin(store, reachOf(caller), params['id']!),
      handle: ({ found, body: { status: wanted } }) =>
        store.transaction(async (tx) => {
          const row = (await findAnyPayout(tx, found.id))!;
          const moved = await movePayout(tx, services, row, { type: FACTS[wanted] });
          if (!moved) throw new Refusal('payout_settled', { status: row.status, wanted });
          return showPayout(moved);
        }),
    }),
  ];
}
