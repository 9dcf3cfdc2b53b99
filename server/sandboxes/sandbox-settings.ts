import { Refusal } from '../platform/http/refusals.ts';
import { sandboxSettingsOf, type SandboxSettings, type ServerSettings } from '../platform/settings.ts';
import type { OwnSettings } from './sandbox-record.schema.ts';

/** A change of settings; those that are undefined stay. */
type Asked = { [Name in keyof SandboxSettings]?: SandboxSettings[Name] | undefined };

/**
 * Returns the settings that a sandbox has of its own after a change.
 * @param server the settings that apply where it has none of its own
 * @throws Refusal `invalid_field` when idempotency keys are to work in a strict sandbox
 */
export function changedSettings(
  server: ServerSettings,
  own: OwnSettings | undefined,
  { idempotencyKeys, strict }: Asked,
): OwnSettings {
  const changed = { ...own, ...(idempotencyKeys && { idempotencyKeys }), ...(strict && { strict }) };
  if (idempotencyKeys === 'on' && appliedSettings(server, changed).strict === 'on')
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
