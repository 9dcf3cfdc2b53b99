import { VirtualClock } from '../virtual-clock.ts';

/** The clock of a replay of a recording on virtual time, whose items say when time passes: also after it was advanced. */
export class ReplayClock extends VirtualClock {
  protected override passOffset(): void {}
}
