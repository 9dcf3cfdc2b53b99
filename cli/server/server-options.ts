import { LOG_OPTIONS } from '../log/command-log.ts';
import { SETTINGS } from '../command-line/config.ts';
import { booleanOption, type Values } from '../command-line/option.ts';

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
