import type { Services } from '../../../server/platform/services.ts';
import { openWorldLog } from '../../../testing/run-log/world-log.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

/** One log for all servers without a world: it has each step for the running test. */
const worldLog = await openWorldLog(new VirtualClock(0));

/** Records the steps of the machines of a server, when a reporter asks for them. */
export function recordSteps(services: Pick<Services, 'activities' | 'clock'>): void {
  worldLog?.stepsOf(services);
}
