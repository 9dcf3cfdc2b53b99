import { startWorld, type World } from '../../testing/world/world.ts';
import type { WorldOptions } from '../../testing/world/world-options.ts';

/** Worlds that all begin with the same objects. */
interface PreparedWorlds<Prepared> {
  /** Starts one. The test must close it. */
  start(): Promise<{ world: World; prepared: Prepared }>;
  close(): Promise<void>;
}

/**
 * Prepares a world once and starts each further one as a fork of it, which takes as long as starting an empty world.
 * On an engine whose worlds cannot be forked, each is prepared anew.
 * @param prepare returns what tests need to know of the objects it made, such as their ids; nothing bound to its world
 */
export function prepareWorlds<Prepared>(
  prepare: (world: World) => Promise<Prepared>,
  options: WorldOptions = {},
): PreparedWorlds<Prepared> {
  let first: Promise<{ world: World; prepared: Prepared }> | undefined;

  async function startPrepared() {
    const world = await startWorld(options);
    return { world, prepared: await prepare(world) };
  }

  return {
    async start() {
      const { world, prepared } = await (first ??= startPrepared());
      if (world.forkable) return { world: await world.fork(), prepared };
      return startPrepared();
    },
    close: async () => (await first)?.world.close(),
  };
}
