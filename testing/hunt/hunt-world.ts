import { silentLog } from '../../protocol/log.ts';
import { Type } from '../../protocol/schema.ts';
import { OnOff, optionsChecker } from '../world/checked-options.ts';
import { startWorldFrom } from '../world/start-world-from.ts';
import type { UserWorldOptions } from '../world/user-world.ts';
import type { World } from '../world/world.ts';
import type { WorldOptions } from '../world/world-options.ts';

/** The sandbox that a hunt prepares: what it begins with, and its settings. */
export interface HuntWorldOptions extends Pick<
  UserWorldOptions,
  'magicAmounts' | 'rateLimit' | 'idempotencyKeys'
> {
  /** Whether /v1 has nothing beyond the specification; on by default, so that idempotency keys are ignored. */
  strict?: 'on' | 'off';
  /** Path of a file that `tapbench sandbox save` wrote: the sandbox begins with all that is in it. */
  from?: string | URL;
}

const check = optionsChecker<HuntWorldOptions>('hunt: world', {
  magicAmounts: OnOff,
  rateLimit: OnOff,
  idempotencyKeys: OnOff,
  strict: OnOff,
  from: Type.Optional(Type.Unknown()),
});

/**
 * Starts the world that a hunt prepares.
 * @throws Error for an option that is unknown or not valid, and for idempotency keys in a strict sandbox
 */
export async function startHuntWorld(
  given: HuntWorldOptions = {},
  more: Pick<WorldOptions, 'startMs'> = {},
): Promise<World> {
  check(given);
  const { from, strict = 'on', ...settings } = given;
  if (settings.idempotencyKeys === 'on' && strict === 'on')
    throw new Error("hunt: world: idempotencyKeys 'on' needs strict 'off': the service has no such keys");
  const options = { ...settings, ...more, strict, seed: 'hunt', log: silentLog, unrecorded: true };
  return (await startWorldFrom(from, options)).whole;
}
