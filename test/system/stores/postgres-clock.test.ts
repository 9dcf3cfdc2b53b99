import { afterAll, beforeAll } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { clockContract } from '../../contract/clock.contract.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { countFrom } from '../../kit/count-from.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

// CLOCK_SCENARIOS=40 takes some minutes.
const numRuns = countFrom('CLOCK_SCENARIOS', 2);

clockContract(async () => openStore({ databaseUrl: await server.freshDatabase(), log: silentLog }), {
  numRuns,
});
