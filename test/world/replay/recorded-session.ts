import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { prepareWorlds } from '../../kit/prepared-worlds.ts';
import { openTill } from '../../../testing/world/till.ts';
import type { World } from '../../../testing/world/world.ts';
import { PARTS } from './session-parts.ts';

/** Prepares a world with a terminal and a webhook, in whose forks sessions are recorded. */
export function prepareSessions() {
  const prepare = async (world: World) => {
    const terminal = await world.addTerminal();
    await world.listen('shop', [...EVENT_TYPE_NAMES]);
    await world.advance({ minutes: 1 });
    return { terminalId: terminal.terminalId };
  };
  const worlds = prepareWorlds(prepare, { settings: { idempotencyKeys: 'on' } });
  return {
    /** Records a session of these parts, with what the seed decides in them. */
    async record(names: readonly string[], seed: string): Promise<Trace> {
      const { world, prepared } = await worlds.start();
      try {
        return await recordIn(world, prepared.terminalId, names, seed);
      } finally {
        await world.close();
      }
    },
    close: worlds.close,
  };
}

async function recordIn(world: World, terminalId: string, names: readonly string[], seed: string) {
  const random = seededRandom(seed);
  const number = (min: number, max: number) => min + Math.floor(fraction(random) * (max - min + 1));
  let count = 0;
  const unique = () => `${seed.replaceAll(' ', '-')}-${(count += 1)}`;
  await world.advance({ seconds: 1 });
  const recording = await world.server.services.recordings!.startUnlisted(names.join(', '));
  for (const name of names) {
    await PARTS[name]!({ world, till: openTill(world, world.fleet.terminal(terminalId)!), number, unique });
    await world.advance({ seconds: number(1, 200) });
    // A terminal whose action has not ended refuses the next.
    while (world.fleet.terminal(terminalId)!.status.state) await world.advance({ seconds: 10 });
  }
  return recording.stop();
}

/** Returns the names of the parts of a number of sessions: some of each, so that all parts come about as often. */
export function sessionsOf(seed: string, count: number, names = Object.keys(PARTS)): string[][] {
  const random = seededRandom(seed);
  const drawn: string[] = [];
  const next = () => {
    if (drawn.length === 0) drawn.push(...names);
    return drawn.splice(Math.floor(fraction(random) * drawn.length), 1)[0]!;
  };
  return Array.from({ length: count }, () => [next(), next()]);
}
