import { afterAll, beforeAll } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { requestListContract } from '../../contract/request-list.contract.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

requestListContract(async () => openStore({ databaseUrl: await server.freshDatabase(), log: silentLog }));
