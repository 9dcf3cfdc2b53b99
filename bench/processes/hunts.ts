import { pathToFileURL } from 'node:url';
import type * as hunting from '../../testing/hunt/hunt.ts';
import { bodyOf, fetchTransport, jsonCall } from '../../world/api-call.ts';
import { startBareWorld } from '../bare-world.ts';
import { handleParentRequests } from './parent-requests.ts';

export interface HuntsRequest {
  plans: number;
  /** Path of the built module that is published as `tapbench/hunt`; without it the baseline is measured. */
  module: string | undefined;
}

handleParentRequests({
  /** Tries plans of faults. Returns the plans for each second of CPU time. */
  async measure({ plans, module }: HuntsRequest): Promise<number> {
    const before = process.cpuUsage();
    const tried = module === undefined ? await openBareWorlds(plans) : await tryPlans(plans, module);
    const { user, system } = process.cpuUsage(before);
    return (tried * 1_000_000) / (user + system);
  },
});

async function openBareWorlds(count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) await (await startBareWorld())();
  return count;
}

const PAYMENT = {
  amounts: { requested: 1742 },
  currency: 'GBP',
  paymentSession: { metadata: { orderId: 'order-1' } },
};

// Longer than an action at a terminal lasts, whatever strikes it.
const ASKS_MAX = 60;
const ASK_EVERY_MS = 15_000;

/** Hunts in a till that does nothing wrong, so that every plan is tried. */
async function tryPlans(plans: number, module: string): Promise<number> {
  const { hunt } = (await import(pathToFileURL(module).href)) as typeof hunting;
  let isPaid = false;
  const { plans: tried, found } = await hunt({
    plans,
    seconds: 600,
    prepare: (world) => world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } }),
    async scenario({ world, fetch, till, sleep }) {
      isPaid = false;
      // oxlint-disable-next-line no-explicit-any -- replies of the API
      const call = async (method: string, path: string, body?: object): Promise<any> => {
        const sent = jsonCall(world, { method, path: `/v1${path}`, body });
        const reply = await fetchTransport(fetch, world.url)(sent).catch(() => undefined);
        return reply?.status === 200 ? bodyOf(reply) : undefined;
      };
      let sessionId: string | undefined;
      for (let asked = 0; asked < ASKS_MAX && !isPaid; asked += 1) {
        const path = `/in-person/terminals/${till.terminal.terminalId}/payment`;
        // The reply to a payment that was started may have been lost.
        const sessions =
          sessionId === undefined ? (await call('GET', '/payment-sessions'))?.items : undefined;
        if (sessions?.length === 0)
          sessionId = (await call('POST', path, PAYMENT))?.action.transaction.paymentSessionId;
        else sessionId ??= sessions?.[0]?.id;
        if (sessionId !== undefined)
          isPaid = (await call('GET', `/payment-sessions/${sessionId}`))?.status === 'Captured';
        if (!isPaid) await sleep(ASK_EVERY_MS);
      }
    },
    shop: () => ({ orders: [{ orderId: 'order-1', paid: isPaid, amount: PAYMENT.amounts.requested }] }),
  });
  if (found) throw new Error(`the till does something wrong: ${found.verdict}`);
  return tried;
}
