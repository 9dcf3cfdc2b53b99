import { LOG_OPTIONS } from '../log/command-log.ts';
import { SETTINGS } from '../command-line/config.ts';
import { booleanOption, type Values } from '../command-line/option.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import type { SnapshotLimits } from '../../server/sandboxes/snapshots/snapshot-service.ts';

/** Options of the commands that run a server. */
export const SERVER_OPTIONS = {
  host: SETTINGS.host,
  port: SETTINGS.port,
  mqttHost: SETTINGS.mqttHost,
  mqttPort: SETTINGS.mqttPort,
  dataDir: SETTINGS.dataDir,
  ephemeral: booleanOption('--ephemeral', 'Keep data in memory only; DATA_DIR and DATABASE_URL are ignored'),
  killable: booleanOption(
    '--killable',
    'Let faults kill this process by SIGKILL. What runs it has to start it again, on the same ports',
  ),
  publicUrl: SETTINGS.publicUrl,
  replaceKeys: booleanOption(
    '--replace-keys',
    'Replace the keys in the database of DATABASE_URL by those of this server; refused while another server uses it',
  ),
  rateLimit: SETTINGS.rateLimit,
  magicAmounts: SETTINGS.magicAmounts,
  walletDomainCheck: SETTINGS.walletDomainCheck,
  idempotencyKeys: SETTINGS.idempotencyKeys,
  strict: SETTINGS.strict,
  pace: SETTINGS.pace,
  faults: SETTINGS.faults,
  ...LOG_OPTIONS,
  secretKey: SETTINGS.secretKey,
  publicKey: SETTINGS.publicKey,
  pairingSecret: SETTINGS.pairingSecret,
  dashboardToken: SETTINGS.dashboardToken,
  hostKey: SETTINGS.hostKey,
  snapshotsMax: SETTINGS.snapshotsMax,
  snapshotMbMax: SETTINGS.snapshotMbMax,
  databaseUrl: SETTINGS.databaseUrl,
  databaseConnections: SETTINGS.databaseConnections,
  retentionDays: SETTINGS.retentionDays,
  requestLogMax: SETTINGS.requestLogMax,
  requestLogMbMax: SETTINGS.requestLogMbMax,
  requestLogDays: SETTINGS.requestLogDays,
  timelinesMax: SETTINGS.timelinesMax,
  timelinesMbMax: SETTINGS.timelinesMbMax,
  storeExitAfter: SETTINGS.storeExitAfter,
  sandboxSleepAfter: SETTINGS.sandboxSleepAfter,
  sandboxPool: SETTINGS.sandboxPool,
  mqttUrl: SETTINGS.mqttUrl,
};
export type ServerOptions = Values<typeof SERVER_OPTIONS>;

const MEGABYTE = 1_000_000;

/** Returns how much each sandbox stores of its requests and timelines. */
export function logLimits(options: ServerOptions): Pick<ServerSettings, 'requestLog' | 'timelines'> {
  const { requestLogMax, requestLogMbMax, requestLogDays, timelinesMax, timelinesMbMax } = options;
  return {
    requestLog: {
      countMax: requestLogMax,
      bytesMax: requestLogMbMax * MEGABYTE,
      days: requestLogDays,
    },
    timelines: { countMax: timelinesMax, bytesMax: timelinesMbMax * MEGABYTE },
  };
}

/** Returns how many snapshots the server keeps, and how large they may be. */
export function snapshotLimits({ snapshotsMax, snapshotMbMax }: ServerOptions): SnapshotLimits {
  return { countMax: snapshotsMax, bytesMax: snapshotMbMax * MEGABYTE };
}
