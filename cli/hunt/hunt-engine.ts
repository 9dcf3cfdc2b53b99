import type { HuntedFault } from '../../testing/hunt/fault-arbitrary.ts';
import type { CommandContext } from '../command-line/command-context.ts';

export interface HuntLimits {
  seed: string;
  plans: number;
  seconds: number;
  maxFaults: number;
  onTry(tried: number, isFound: boolean): void;
  signal: AbortSignal;
}

export interface HuntFound {
  plan: readonly HuntedFault[];
  verdict: string;
  trace: Buffer;
  /** The end of what the command printed. */
  output?: string;
}

interface HuntResult {
  plans: number;
  /** Number of these in which a fault struck nothing. */
  notReached: number;
  found?: HuntFound;
}

/** What `--command` adds to a hunt. */
export interface CommandOptions {
  command: string;
  sell: string | undefined;
  books: string | undefined;
  webhooks: string | undefined;
  speed: number;
  quietSeconds: number;
  jobs: number;
  env: Record<string, string | undefined>;
}

/** The part of `tapbench/hunt` that the command line uses. */
interface HuntEngine {
  hunt(options: HuntLimits): Promise<HuntResult>;
  huntCommand(options: HuntLimits & CommandOptions): Promise<HuntResult>;
}

/** Loads `tapbench/hunt`, the same code that a test imports. */
export async function loadHuntEngine({
  importModule,
}: Pick<CommandContext, 'importModule'>): Promise<HuntEngine> {
  return (await importModule('tapbench/hunt')) as HuntEngine;
}
