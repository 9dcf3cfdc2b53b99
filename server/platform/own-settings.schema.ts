import { PACES } from '../../protocol/clock.ts';
import { Type, type Static } from '../../protocol/schema.ts';
import type { ServerSettings } from './settings.ts';

/** The settings that a sandbox can have of its own, in place of those of its server. */
export const OwnSettings = Type.Object({
  idempotencyKeys: Type.Optional(Type.Enum(['on', 'off'])),
  strict: Type.Optional(Type.Enum(['on', 'off'])),
  pace: Type.Optional(Type.Enum([...PACES])),
});
export type OwnSettings = Static<typeof OwnSettings>;

/** The settings that apply in a sandbox. */
export type SandboxSettings = Required<OwnSettings>;

/** Returns those of the given settings that a sandbox can have of its own and that are set. */
export function ownSettingsIn(given: {
  [Name in keyof OwnSettings]?: OwnSettings[Name] | undefined;
}): OwnSettings {
  const { idempotencyKeys, strict, pace } = given;
  return { ...(idempotencyKeys && { idempotencyKeys }), ...(strict && { strict }), ...(pace && { pace }) };
}

/** Returns the settings that apply where some are unset. Strict turns idempotency keys off. */
export function sandboxSettingsOf({
  idempotencyKeys = 'off',
  strict = 'off',
  pace = 'real',
}: Pick<ServerSettings, keyof SandboxSettings>): SandboxSettings {
  return { idempotencyKeys: strict === 'on' ? 'off' : idempotencyKeys, strict, pace };
}
