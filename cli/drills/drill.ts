import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { Scene } from './scene.ts';

/** A named plan of faults, what happens to a shop under it, and how not to lose money by it. */
export interface Drill {
  title: string;
  /** Whether it sells on a terminal; otherwise online. */
  onTerminal: boolean;
  /** What happens in the shop, in the words of somebody who works there. */
  story: string;
  faults: readonly PlannedFault[];
  /** What the integration does that loses money. */
  wrong: string;
  /** What it does instead. */
  right: string;
  /** Page of the documentation that explains it, in `docs/`. */
  page: string;
  /** What one's own integration is asked to do in `--wait`. */
  task: string;
  /** Plays the built-in integration, as the wrong or the right one. */
  play(scene: Scene): Promise<void>;
}
