import { createSerialQueue } from '../../protocol/serial-queue.ts';
import { route, type Route } from '../platform/http/route.ts';
import { planRetention } from '../api/retention/retention.ts';
import type { Services } from '../platform/services.ts';
import { forgetEverything } from './reset.records.ts';
import { Reset } from './reset.schema.ts';

/** Begins the sandbox anew (docs/choices.md, Reset). */
export function resetRoutes(services: Services): Route[] {
  const { clock, notices, store } = services;
  const reset = async () => {
    const accounts = await store.transaction(async (tx) => {
      const { accounts: kept, terminalIds } = await forgetEverything(tx, clock.nowMs());
      // Its job is forgotten with all others.
      await planRetention(tx, services);
      tx.afterCommit(() => {
        notices.emit({ kind: 'sandbox.reset' });
        for (const terminalId of terminalIds) notices.emit({ kind: 'terminal.removed', terminalId });
      });
      return kept;
    });
    await services.afterReset?.();
    return accounts;
  };
  // A reset deletes what the one before it is still recreating, so they run one at a time.
  const queue = createSerialQueue();
  return [
    route({
      operation: 'POST /sandbox/reset',
      surface: 'sandbox',
      tag: 'Sandbox clock',
      section: 'Sandbox',
      summary:
        'Forget everything but the keys, the first two accounts, the clock and the catalogue; `tapbench up` then makes its location and terminal again, and what its seed file says',
      reply: Reset,
      handle: () => queue(reset),
    }),
  ];
}
