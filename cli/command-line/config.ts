import { PACES } from '../../protocol/clock.ts';
import { urlOption, enumOption, originOption, stringOption, integerOption } from './option.ts';
import { ADDRESS_DEFAULT } from './server-address.ts';
import { RETENTION_DAYS_MAX } from '../../server/platform/settings.ts';

const PORTS = { min: 0, max: 65_535 };
const ON_OFF = ['on', 'off'] as const;

/** Settings that several commands share. `--help` and docs/command-line.md are generated from them. */
export const SETTINGS = {
  host: stringOption({
    env: 'HOST',
    flag: '--host <address>',
    description: 'Address that the HTTP server listens on',
    defaultValue: '127.0.0.1',
  }),
  port: integerOption(PORTS, {
    env: 'PORT',
    flag: '--port <number>',
    description: 'Port of the HTTP server; 0 takes a free one',
    defaultValue: '8080',
  }),
  mqttHost: stringOption({
    env: 'MQTT_HOST',
    flag: '--mqtt-host <address>',
    description: 'Address that the embedded broker listens on',
    defaultText: 'HOST',
  }),
  mqttPort: integerOption(PORTS, {
    env: 'MQTT_PORT',
    flag: '--mqtt-port <number>',
    description: 'Port of the embedded broker; 0 takes a free one',
    defaultValue: '1883',
  }),
  mqttUrl: urlOption(['mqtt', 'mqtts', 'ws', 'wss'], {
    env: 'MQTT_URL',
    description:
      'An external MQTT 3.1.1 broker in place of the embedded one, with user name and password in it',
    defaultText: 'the embedded broker',
    secret: true,
  }),
  dataDir: stringOption({
    env: 'DATA_DIR',
    flag: '--data-dir <folder>',
    description: 'Folder of the keys, the embedded store and the journals of the terminals',
    defaultValue: '.tapbench',
  }),
  databaseUrl: urlOption(['postgres', 'postgresql'], {
    env: 'DATABASE_URL',
    description: 'A PostgreSQL database in place of the embedded store',
    defaultText: 'the embedded store',
    secret: true,
  }),
  databaseConnections: integerOption(
    { min: 2, max: 1_000 },
    {
      env: 'DATABASE_CONNECTIONS',
      flag: '--database-connections <number>',
      description:
        'Connections to the database of DATABASE_URL that the sandbox `default` uses at most; all other sandboxes together use at most as many again',
      defaultValue: '16',
    },
  ),
  retentionDays: integerOption(
    { min: 1, max: RETENTION_DAYS_MAX },
    {
      env: 'RETENTION_DAYS',
      flag: '--retention-days <days>',
      description:
        'Days after which finished objects are deleted: payments, subscriptions that are over, terminal actions, events',
      defaultText: 'nothing is deleted',
    },
  ),
  requestLogMax: integerOption(
    { min: 0, max: 1_000_000 },
    {
      env: 'REQUEST_LOG_MAX',
      flag: '--request-log-max <number>',
      description:
        'Requests that each sandbox stores with their replies, the latest; 0 for none. None in live mode',
      defaultValue: '10000',
    },
  ),
  requestLogMbMax: integerOption(
    { min: 1, max: 100_000 },
    {
      env: 'REQUEST_LOG_MB_MAX',
      flag: '--request-log-mb-max <number>',
      description: 'MB of requests that each sandbox stores with their replies, the latest',
      defaultValue: '32',
    },
  ),
  requestLogDays: integerOption(
    { min: 1, max: 3_650 },
    {
      env: 'REQUEST_LOG_DAYS',
      flag: '--request-log-days <days>',
      description: 'Days after which stored requests are deleted',
      defaultValue: '7',
    },
  ),
  timelinesMax: integerOption(
    { min: 0, max: 100_000 },
    {
      env: 'TIMELINES_MAX',
      flag: '--timelines-max <number>',
      description:
        'Terminal actions of each sandbox whose timelines are stored for the dashboard, the latest; 0 for none. None in live mode',
      defaultValue: '2000',
    },
  ),
  timelinesMbMax: integerOption(
    { min: 1, max: 100_000 },
    {
      env: 'TIMELINES_MB_MAX',
      flag: '--timelines-mb-max <number>',
      description: 'MB of timelines of terminal actions that each sandbox stores, the latest',
      defaultValue: '32',
    },
  ),
  storeExitAfter: integerOption(
    { min: 0, max: 86_400 },
    {
      env: 'STORE_EXIT_AFTER',
      flag: '--store-exit-after <seconds>',
      description:
        'Seconds that writes to the embedded store may fail before the process exits, so that a supervisor restarts it; 0 for never. A full disk does not count',
      defaultValue: '60',
    },
  ),
  sandboxSleepAfter: integerOption(
    { min: 0, max: 86_400 },
    {
      env: 'SANDBOX_SLEEP_AFTER',
      flag: '--sandbox-sleep-after <seconds>',
      description:
        'Seconds without use after which a sandbox besides `default` is closed until it is needed, to save memory; 0 for never',
      defaultValue: '600',
    },
  ),
  sandboxPool: integerOption(
    { min: 0, max: 1_000 },
    {
      env: 'SANDBOX_POOL',
      flag: '--sandbox-pool <number>',
      description:
        'Empty schemas that are kept ready in the database of DATABASE_URL for new sandboxes; 0 for none',
      defaultValue: '4',
    },
  ),
  secretKey: stringOption({
    env: 'SECRET_KEY',
    description: 'The secret API key: sk_sandbox_... for the sandbox, any other sk_... for live',
    defaultText: 'generated at the first start and stored in DATA_DIR/keys.json',
    secret: true,
  }),
  publicKey: stringOption({
    env: 'PUBLIC_KEY',
    description: 'The public API key, pk_sandbox_... or pk_...',
    defaultText: 'generated at the first start and stored in DATA_DIR/keys.json',
    secret: true,
  }),
  pairingSecret: stringOption({
    env: 'PAIRING_SECRET',
    description: "Terminals' MQTT passwords are derived from it; the same for all servers on one database",
    defaultText: 'generated at the first start and stored in DATA_DIR/keys.json',
    secret: true,
  }),
  dashboardToken: stringOption({
    env: 'DASHBOARD_TOKEN',
    description: 'Token of the dashboard link, dash_...; the same for all servers behind one address',
    defaultText: 'generated at the first start and stored in DATA_DIR/keys.json',
    secret: true,
  }),
  hostKey: stringOption({
    env: 'HOST_KEY',
    description:
      'Key of the calls under /sandboxes, which create, fork, save and delete sandboxes: 32 to 200 letters, digits, - or _',
    defaultText: 'SECRET_KEY of the sandbox default',
    secret: true,
  }),
  snapshotsMax: integerOption(
    { min: 0, max: 100_000 },
    {
      env: 'SNAPSHOTS_MAX',
      flag: '--snapshots-max <number>',
      description: 'Snapshots of sandboxes that the server keeps at most',
      defaultValue: '100',
    },
  ),
  snapshotMbMax: integerOption(
    { min: 1, max: 100_000 },
    {
      env: 'SNAPSHOT_MB_MAX',
      flag: '--snapshot-mb-max <number>',
      description: 'Largest snapshot of a sandbox that is kept or restored, in MB',
      defaultValue: '256',
    },
  ),
  publicUrl: originOption({
    env: 'PUBLIC_URL',
    flag: '--public-url <address>',
    description:
      'Address under which others reach the server, such as https://tapbench.example; used in links',
    defaultText: 'the address it listens on',
  }),
  rateLimit: enumOption(ON_OFF, {
    env: 'RATE_LIMIT',
    flag: '--rate-limit <on|off>',
    description: 'Whether requests over the rate of the specification get 429',
    defaultValue: 'on',
  }),
  magicAmounts: enumOption(ON_OFF, {
    env: 'MAGIC_AMOUNTS',
    flag: '--magic-amounts <on|off>',
    description: 'Whether amounts that end in 901 to 922 decline or fail, at terminals and online alike',
    defaultText: 'on at terminals, off online',
  }),
  walletDomainCheck: enumOption(ON_OFF, {
    env: 'WALLET_DOMAIN_CHECK',
    flag: '--wallet-domain-check <on|off>',
    description: 'Whether a web domain of wallets is registered only when it serves its verification file',
    defaultValue: 'off',
  }),
  idempotencyKeys: enumOption(ON_OFF, {
    env: 'IDEMPOTENCY_KEYS',
    flag: '--idempotency-keys <on|off>',
    description:
      'Whether the header Idempotency-Key, which the specification does not have, works under /v1; off: it is ignored there',
    defaultValue: 'off',
  }),
  strict: enumOption(ON_OFF, {
    env: 'STRICT',
    flag: '--strict <on|off>',
    description:
      'Whether /v1 has nothing that the specification does not have: no extensions, and so no idempotency keys',
    defaultValue: 'off',
  }),
  pace: enumOption(PACES, {
    env: 'PACE',
    flag: '--pace <real|instant>',
    description:
      'How fast simulated cardholders and devices act; instant takes no time but a delay that is asked for',
    defaultValue: 'real',
  }),
  faults: enumOption(ON_OFF, {
    env: 'FAULTS',
    flag: '--faults <on|off>',
    description: 'Whether plans of faults strike; off ignores them, and they can be deleted',
    defaultValue: 'on',
  }),
  simAutostart: enumOption(ON_OFF, {
    env: 'SIM_AUTOSTART',
    flag: '--sim-autostart <on|off>',
    description: 'Whether terminals whose serial number begins with SIM are simulated',
    defaultValue: 'on',
  }),
  logLevel: enumOption(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    env: 'LOG_LEVEL',
    flag: '--log-level <level>',
    description: 'Lowest level that is logged to standard error; debug adds stack traces',
    defaultValue: 'warn',
  }),
  logFormat: enumOption(['text', 'json'], {
    env: 'LOG_FORMAT',
    flag: '--log-format <format>',
    description: 'Format of the log on standard error: text or JSON',
    defaultText: 'text; json for up and server when standard error is not a terminal',
  }),
  url: urlOption(['http', 'https'], {
    env: 'TAPBENCH_URL',
    flag: '--url <address>',
    description: 'The server that the command calls',
    defaultText: ADDRESS_DEFAULT,
  }),
};
