import type { DescribedDivergence } from '../../../world/replay/describe-divergence.ts';

/** A rule of the program that another version of it has changed. */
export interface ChangedRule {
  /** What the rule decides. */
  rule: string;
  /** Path of its source, from the root of the project. */
  file: string;
  /** What stands before the expression that is changed. The source has both together once. */
  after: string;
  from: string;
  to: string;
  /** Parts of the session that is replayed. */
  parts: string[];
  divergence: Partial<Record<keyof DescribedDivergence, unknown>>;
}
