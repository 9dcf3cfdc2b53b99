import type { Wrong } from '../../world/verdicts/verdicts.ts';
import type { TimedOccurrence, TimedStop } from './run-notes.ts';
import type { HuntedFault, Observed, OtherStops } from './hunted-fault.ts';
import type { StopCounts } from './integrator.ts';
import type { Recovery } from './processes.ts';
import type { OrderMoney } from './story/order-money.ts';
import type { RecordedStep } from './story/story-step.ts';

/** What came of a plan. */
export interface Trial {
  /** What is wrong; undefined when nothing is. */
  verdict: string | undefined;
  /** Which verdict says so; undefined when none does, and where the books cannot be read. */
  verdictName?: Wrong['name'] | undefined;
  /** Requests of the integrator's process, in all its starts; 0 when it cannot be started again. */
  restartable: number;
  /** Where else it can be stopped, and how often; undefined where it is a process of its own. */
  otherStops?: OtherStops;
  /** How often each process beside it did what it can be stopped at. */
  processes?: Readonly<Record<string, StopCounts>>;
  /** What each process did that a fault has stopped and that was started again. */
  recoveries?: readonly Recovery[];
  /** The faults of the plan that struck nothing. */
  unstruck: readonly HuntedFault[];
  /** Whether a fault struck after the scenario had returned. */
  struckLater: boolean;
  /** Whether the scenario had not ended when it was judged. */
  isUnfinished: boolean;
  /** What the scenario and its webhook endpoints threw. */
  thrown?: readonly unknown[];
  /** What the verdicts could not see. Of a trial without a plan. */
  warnings?: readonly string[];
  /** What happened, where faults could strike. Of a trial without a plan. */
  observed: Observed[];
  /** What happened, with the timers that ran then. Of a trial without a plan, on virtual time. */
  timed?: readonly TimedOccurrence[];
  /** The moments at which a process can be stopped, with the timers that ran then. Of such a trial. */
  timedStops?: readonly TimedStop[];
  /**
   * What happened until the end, where faults could strike, also under a plan. Undefined where it depends on real time and
   * the plans of a seed must not.
   */
  happened?: readonly Observed[];
  /** The same one by one, in its order, with the number of each among those of its names. */
  order?: readonly { place: Observed; nth: number }[];
  /** Puts into words what happened. */
  story: () => RecordedStep[];
  /** Returns what was taken for each order, and what the books say. */
  orders: () => OrderMoney[];
}
