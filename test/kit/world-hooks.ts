import type { Log } from '../../protocol/log.ts';
import type { World } from './world.ts';

/** Hooks of a suite into every world of its tests. */
interface WorldHooks {
  /** Log of the world, unless the test sets one. */
  log: Log;
  /** Called when the world has started. */
  onStart(world: World): void;
  /** Called before the world is closed. A rejection fails the test. */
  beforeClose(world: World): Promise<void>;
}

let watch: (() => WorldHooks) | undefined;

/** Sets the hooks for all worlds started from now on; `begin` creates them for each. */
export function useWorldHooks(begin: () => WorldHooks): void {
  watch = begin;
}

export function createWorldHooks(): WorldHooks | undefined {
  return watch?.();
}
