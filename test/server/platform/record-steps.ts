import type { Services } from '../../../server/platform/services.ts';
import { recordWorld } from '../../../testing/recording/world-recorder.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

/** One recorder for all servers without a world: it records each step for the running test. */
const recorder = await recordWorld(new VirtualClock(0));

/** Records the steps of the machines of a server, when a reporter asks for them. */
export function recordSteps(services: Pick<Services, 'activities' | 'clock'>): void {
  recorder?.stepsOf(services);
}
