import type { Log } from '../../protocol/log.ts';
import type { Server } from '../../server/app.ts';
import type { Receivers } from './receivers.ts';

/** What a hook sees of a world. */
export interface HookedWorld {
  readonly server: Server;
  readonly receivers: Receivers;
}

/** Hooks of a suite into every world of its tests. */
interface WorldHooks {
  /** Log of the world, unless the test sets one. */
  log: Log;
  /** Called when the world has started. */
  onStart(world: HookedWorld): void;
  /** Called before the world is closed. A rejection fails the test. */
  beforeClose(world: HookedWorld): Promise<void>;
}

let watch: (() => WorldHooks) | undefined;

/** Sets the hooks for all worlds started from now on; `begin` creates them for each. */
export function useWorldHooks(begin: () => WorldHooks): void {
  watch = begin;
}

export function createWorldHooks(): WorldHooks | undefined {
  return watch?.();
}
