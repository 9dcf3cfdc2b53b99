import { expect, onTestFinished } from 'vitest';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import type { WorldOptions } from '../../../testing/world/world-options.ts';

interface FaultWorld {
  world: World;
  /** Puts faults on the sandbox and returns the id of their plan. */
  put(faults: object | object[], plan?: object): Promise<string>;
  /** What struck so far: fault and subject of each strike of a plan. */
  struck(planId: string): Promise<string[]>;
}

/** Starts a world whose sandbox takes faults, and closes it at the end of the test. */
export async function startFaultWorld(settings: WorldOptions['settings'] = {}): Promise<FaultWorld> {
  const world = await startWorld({ settings });
  onTestFinished(() => world.close());
  return {
    world,
    async put(faults, plan = {}) {
      const { status, body } = await world.api.post('/sandbox/faults', { faults: [faults].flat(), ...plan });
      expect([status, body.errors ?? body.status]).toEqual([200, 'Active']);
      return body.id;
    },
    async struck(planId) {
      const { strikes } = (await world.api.get(`/sandbox/faults/${planId}`)).body;
      return strikes.map(({ what, subject }: { what: string; subject: string }) => `${what} ${subject}`);
    },
  };
}

/** A world with a till. */
export async function startFaultTill(): Promise<FaultWorld & { till: Till }> {
  const started = await startFaultWorld();
  return { ...started, till: openTill(started.world, await started.world.addTerminal()) };
}
