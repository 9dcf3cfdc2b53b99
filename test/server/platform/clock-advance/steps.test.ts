import { silentLog } from '../../../../protocol/log.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { clockContract } from '../../../contract/clock.contract.ts';
import { countFrom } from '../../../kit/count-from.ts';

// CLOCK_SCENARIOS=200 takes some minutes.
const numRuns = countFrom('CLOCK_SCENARIOS', 5);

clockContract(() => openStore({ path: ':memory:', log: silentLog }), { numRuns });
