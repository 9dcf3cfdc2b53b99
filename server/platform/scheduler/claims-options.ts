import type { Clock } from '../../../protocol/clock.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Store } from '../store/store.ts';
import type { Lanes } from './lanes.ts';
import type { Runner } from './runner.ts';

/** What the claims of an instance work with. */
export interface ClaimsOptions {
  store: Store;
  clock: Clock;
  realClock: Clock;
  log: Log;
  owner: string;
  soleOwner: boolean;
  /** Whether one key may have several claimed jobs, which the runner runs one after the other. */
  claimsSuccessors: boolean;
  pollMs: number;
  lanes: Lanes;
  runner: Runner;
  /** Called when a claim or a job has ended. */
  onProgress(): void;
}
