import { VirtualClock } from '../virtual-clock.ts';

/**
 * The clock of a replay of a recording on virtual time, whose items say when time passes, and when a request that advanced
 * the clock was answered.
 */
export class ReplayClock extends VirtualClock {
  #advances: (() => void)[] = [];

  protected override passOffset(): Promise<void> {
    return new Promise((resolve) => this.#advances.push(resolve));
  }

  /** Lets the first of the advances end that are under way. */
  endAdvance(): void {
    this.#advances.shift()?.();
  }
}
