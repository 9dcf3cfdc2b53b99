import { silentLog } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { instancesContract } from '../contract/instances.contract.ts';

instancesContract(() => openStore({ path: ':memory:', log: silentLog }));
