import { afterAll, beforeAll } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { instancesContract } from '../../contract/instances.contract.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

instancesContract(async () => openStore({ databaseUrl: await server.freshDatabase(), log: silentLog }));
