/** Something that happened under a plan of faults that was found, for people. */
export interface StoryStep {
  /** Time of the sandbox since the scenario began, in milliseconds. */
  atMs: number;
  /**
   * Who did it: `shop` is the integrator's code, `fault` a fault that struck, `terminal` what came of an action there, `money` an
   * entry of the ledger, `webhook` a delivery to the shop, `calm` what the shop does at this point without faults, and `verdict` the
   * moment from which on the verdict is wrong.
   */
  who: 'shop' | 'fault' | 'terminal' | 'money' | 'webhook' | 'calm' | 'verdict';
  text: string;
  /** The line of the shop's code that sent the request, such as `src/shop.ts:41`; absent where it is not known. */
  line?: string;
}

/** A step, with what a short story needs to know of it. */
export interface RecordedStep extends StoryStep {
  /** What was done, without ids and without what came of it. */
  kind: string;
  /** Name of the process beside the scenario that sent the request; absent for its own. */
  process?: string;
  /** Whether it only read. */
  isRead: boolean;
  /** Whether it is no request, but the end of the scenario. */
  isEnd?: true;
}
