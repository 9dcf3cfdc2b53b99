import type { Services } from '../../../server/platform/services.ts';
import { recordWorld } from '../../kit/recording/world-recorder.ts';
import { VirtualClock } from '../../kit/virtual-clock.ts';

/** Of all servers without a world around them: each step is of the test that runs. */
const told = await recordWorld(new VirtualClock(0));

/** Tells a reporter, if there is one, which steps the machines of a server take. */
export function tellStepsOf(services: Pick<Services, 'notices' | 'clock'>): void {
  told?.stepsOf(services);
}
