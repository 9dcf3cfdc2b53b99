import { Refusal } from '../platform/http/refusals.ts';
import {
  ownSettingsIn,
  sandboxSettingsOf,
  type OwnSettings,
  type SandboxSettings,
} from '../platform/own-settings.schema.ts';
import { type ServerSettings } from '../platform/settings.ts';

/**
 * Returns the settings that a sandbox has of its own after a change.
 * @param server the settings that apply where it has none of its own
 * @throws Refusal `invalid_field` when idempotency keys are to work in a strict sandbox
 */
export function changedSettings(
  server: ServerSettings,
  own: OwnSettings | undefined,
  asked: Parameters<typeof ownSettingsIn>[0],
): OwnSettings {
  const changed = { ...own, ...ownSettingsIn(asked) };
  if (asked.idempotencyKeys === 'on' && appliedSettings(server, changed).strict === 'on')
    throw new Refusal('invalid_field', {
      field: 'idempotencyKeys',
      problem: 'must be off while `strict` is on',
    });
  return changed;
}

/** Returns the settings that apply in a sandbox: its own, or those of the server. */
export function appliedSettings(server: ServerSettings, own: OwnSettings | undefined): SandboxSettings {
  return sandboxSettingsOf({ ...server, ...own });
}
