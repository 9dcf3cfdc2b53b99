import type { ReadShop } from '../../world/verdicts/read-facts.ts';
import type { Verdict } from '../../world/verdicts/hunt-facts.ts';
import type { VerdictName } from '../../world/verdicts/verdicts.ts';
import type { UserWorld } from '../world/user-world.ts';
import type { ExampleFault, ExamplePlan } from './examples/example-plan.ts';
import type { HuntedFault } from './hunted-fault.ts';
import type { HuntCounts } from './hunt-tally.ts';
import type { HuntWorldOptions } from './hunt-world.ts';
import type { OrderMoney } from './story/order-money.ts';
import type { StoryStep } from './story/story-step.ts';
import type { HuntScene } from './processes.ts';

export interface HuntOptions {
  /** Settings of the sandbox, and what it begins with. Strict by default: without idempotency keys, which the service lacks. */
  world?: HuntWorldOptions;
  /** Makes what each plan begins with, once: terminals, webhooks, customers. */
  prepare?: (world: UserWorld) => unknown;
  /** The integrator's code: it sells something, by the sandbox that it is given. It begins with empty books each time. */
  scenario: (scene: HuntScene) => unknown;
  /**
   * What runs beside the scenario, by name, such as a second till or the browser of a customer. Each begins after the scenario
   * has, and is a process of its own, which faults stop apart.
   */
  processes?: Readonly<Record<string, (scene: HuntScene) => unknown>>;
  /** Judge what there is at the end, besides those of every hunt. */
  verdicts?: readonly Verdict[];
  /** Names of those of every hunt that are left out, such as `everyEventAcknowledged`. */
  withoutVerdicts?: readonly VerdictName[];
  /** Returns what the integrator's books say at the end. */
  shop?: ReadShop;
  /** Metadata member of a payment session that names its order; `orderId` by default. */
  orderMember?: string;
  /** The same seed tries the same plans; 1 by default. */
  seed?: number | string;
  /** Plans to try at most, besides those that make a plan that was found smaller; 1,000 by default. Fewer where no more exist. */
  plans?: number;
  /** Real time to spend at most; 60 by default. The plan under way is left then. */
  seconds?: number;
  /** Faults of a plan at most; 3 by default. */
  maxFaults?: number;
  /**
   * Goes on after a find, until all plans are tried or the time is up, and reports one plan of each defect: defects differ by
   * the verdict and by the places that the faults strike. False by default.
   */
  all?: boolean | undefined;
  /** Only this plan is tried, and it is not made smaller. */
  plan?: ExamplePlan;
  /** Plans that are tried first, such as those that were found before. */
  examples?: readonly ExamplePlan[];
  /** JSON file of plans that were found before: they are tried first, and a plan that is found is added. */
  hunts?: string | URL;
  /** Called before each plan, with the number of those that were tried, and whether one was found that is made smaller. */
  onTry?: (tried: number, isFound: boolean) => void;
  /** Ends the hunt with what it knows: it returns what it has tried and found so far. */
  stop?: AbortSignal;
  /** Ends the hunt, which throws its reason. */
  signal?: AbortSignal;
}

/** A plan that went wrong, as small as it was found to be. */
export interface Found {
  seed: number | string;
  plan: HuntedFault[];
  verdict: string;
  /** Name of the verdict, `ownVerdict` for one of yours, and `books` where these cannot be read. */
  verdictName: VerdictName | 'ownVerdict' | 'books';
  /** How often this plan ran, and in how many of these runs it went wrong. */
  confirmed: { runs: number; wrong: number };
  /** What happened, in at most ten steps. */
  story: StoryStep[];
  /**
   * Time of the first step at which the verdict is wrong and stays so, in milliseconds of the sandbox since the scenario began; absent
   * where it is wrong from the beginning, and where that could not be found out.
   */
  firstWrongMs?: number;
  /** Time of a step before, at which it is not wrong yet. */
  lastRightMs?: number;
  /** What was taken for each order, beside the books. */
  orders: OrderMoney[];
  /** The plan for `plan` and `examples`: it means the same where the scenario does more than now. */
  example: ExampleFault[];
  /** File of the option `hunts` that has it now. */
  keptIn?: string;
  /** A trace file of it, for `tapbench trace --open`. */
  trace: Buffer;
}

export interface HuntResult extends HuntCounts {
  /** The first plan that was found to go wrong, with as few faults as it needs; absent when none did. */
  found?: Found;
  /** Plans of other defects, one of each, with the option `all`; absent without it. */
  others?: Found[];
}
