import { auditLedger } from '../../server/api/ledger/audit.ts';
import type { World } from '../../testing/world/world.ts';

/** Audits the ledger of a world. Returns the inconsistencies. */
export function ledgerProblems(world: World): ReturnType<typeof auditLedger> {
  const { store } = world.server.services;
  return store.transaction((tx) => auditLedger(tx, world.clock.nowMs()));
}
