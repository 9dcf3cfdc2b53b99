import type { Log } from '../../protocol/log.ts';
import type { World } from './world.ts';

/** What a suite does with every world of its tests. */
interface WorldHooks {
  /** Where the world's log goes, unless its test has one of its own. */
  log: Log;
  /** The world is there; nothing has happened in it. */
  onStart(world: World): void;
  /** Looks through the world before it ends. What it throws fails the test. */
  beforeClose(world: World): Promise<void>;
}

let watch: (() => WorldHooks) | undefined;

/** From now on each world is watched by what `begin` answers for it. */
export function useWorldHooks(begin: () => WorldHooks): void {
  watch = begin;
}

export function createWorldHooks(): WorldHooks | undefined {
  return watch?.();
}
