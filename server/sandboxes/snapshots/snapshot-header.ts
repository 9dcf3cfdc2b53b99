import { DEFAULT_SANDBOX } from '../../../protocol/sandbox-topics.ts';
import { VERSION } from '../../../protocol/version.ts';
import type { Services } from '../../platform/services.ts';
import { sandboxSettingsOf } from '../../platform/settings.ts';
import { MIGRATIONS } from '../../platform/store/migrations/migrate.ts';
import { FORMAT_NAME, FORMAT_VERSION, type SnapshotHeader } from './snapshot-format.schema.ts';

/** Returns the header of a snapshot that is made of a sandbox now. */
export function snapshotHeaderOf({ clock, realClock, settings }: Services): SnapshotHeader {
  return {
    format: FORMAT_NAME,
    version: FORMAT_VERSION,
    writtenBy: VERSION,
    migration: MIGRATIONS.length,
    sandbox: settings.sandbox ?? DEFAULT_SANDBOX,
    createdMs: Math.floor(realClock.nowMs()),
    clockMs: Math.floor(clock.nowMs()),
    ...sandboxSettingsOf(settings),
    pairingSecret: settings.pairingSecret,
  };
}
