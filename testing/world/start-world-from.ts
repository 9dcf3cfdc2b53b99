import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnOff } from '../../server/platform/settings.ts';
import { worldOfSnapshot, worldOfTrace } from './world-from-file.ts';
import type { WorldOptions } from './world-options.ts';
import { startWorld, type World } from './world.ts';

/** Settings of the server that users of a world choose. */
interface WorldSettings {
  magicAmounts?: OnOff;
  rateLimit?: OnOff;
  idempotencyKeys?: OnOff;
  strict?: OnOff;
}

interface StartedWorld {
  whole: World;
  /** Puts values in the place of the placeholders of the trace with which the world began. */
  fill?: ((text: string) => string) | undefined;
}

/**
 * Starts a world: anew, or from the path of a file that `tapbench sandbox save` or `tapbench record` wrote.
 * @throws Error for a file that does not exist, is no snapshot, or is damaged
 */
export async function startWorldFrom(
  from: string | URL | undefined,
  options: WorldOptions & WorldSettings,
): Promise<StartedWorld> {
  const { magicAmounts, rateLimit, idempotencyKeys, strict, ...rest } = options;
  const settings = {
    ...(magicAmounts && { magicAmounts }),
    ...(rateLimit && { rateLimit }),
    ...(idempotencyKeys && { idempotencyKeys }),
    ...(strict && { strict }),
  };
  if (from === undefined) return { whole: await startWorld({ ...rest, settings }) };
  const path = from instanceof URL ? fileURLToPath(from) : from;
  if (!existsSync(path)) throw new Error(`startWorld: there is no file ${resolve(path)} to begin from`);
  const recorded = await worldOfTrace(path, options.seed);
  const saved = recorded?.options ?? (await worldOfSnapshot(path, options.seed ?? 'world'));
  const all = { ...rest, ...saved, settings: { ...saved.settings, ...settings } };
  return { whole: await startWorld(all), fill: recorded?.fill };
}
