import { auditLedger } from '../../server/api/ledger/audit.ts';
import type { World } from './world.ts';

/** What does not add up in a world's ledger. */
export function ledgerProblems(world: World): ReturnType<typeof auditLedger> {
  const { store } = world.server.services;
  return store.transaction((tx) => auditLedger(tx, world.clock.nowMs()));
}
