import type { Static } from '../../protocol/schema.ts';
import { scheduleRetention } from '../api/retention/retention.ts';
import type { Services } from '../platform/services.ts';
import { deleteSandboxData } from './reset.records.ts';
import type { Reset } from './reset.schema.ts';

/** Resets the sandbox, after any reset in progress (docs/choices.md, Reset). Returns the first two accounts. */
export function resetSandbox(services: Services): Promise<Static<typeof Reset>> {
  return services.resets(async () => {
    const { clock, activities, store } = services;
    const accounts = await store.transaction(async (tx) => {
      const { accounts: firstTwo, terminalIds } = await deleteSandboxData(tx, clock.nowMs());
      // The reset deletes its job.
      await scheduleRetention(tx, services);
      tx.afterCommit(() => {
        activities.emit({ kind: 'sandbox.reset' });
        for (const terminalId of terminalIds) activities.emit({ kind: 'terminal.removed', terminalId });
      });
      return firstTwo;
    });
    await services.program.afterReset();
    return accounts;
  });
}
