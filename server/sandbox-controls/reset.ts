import type { Static } from '../../protocol/schema.ts';
import { planRetention } from '../api/retention/retention.ts';
import type { Services } from '../platform/services.ts';
import { forgetEverything } from './reset.records.ts';
import type { Reset } from './reset.schema.ts';

/** Deletes all that happened in the sandbox, once the resets before it are done (docs/choices.md, Reset). */
export function resetSandbox(services: Services): Promise<Static<typeof Reset>> {
  return services.resets(async () => {
    const { clock, notices, store } = services;
    const accounts = await store.transaction(async (tx) => {
      const { accounts: kept, terminalIds } = await forgetEverything(tx, clock.nowMs());
      // Its job is deleted with all others.
      await planRetention(tx, services);
      tx.afterCommit(() => {
        notices.emit({ kind: 'sandbox.reset' });
        for (const terminalId of terminalIds) notices.emit({ kind: 'terminal.removed', terminalId });
      });
      return kept;
    });
    await services.afterReset?.();
    return accounts;
  });
}
