import { insertAccount } from '../../server/api/accounts/account.records.ts';
import { defaultSettings } from '../../server/api/accounts/account-settings.ts';
import { firstAccounts } from '../../server/api/bootstrap/bootstrap.ts';
import {
  listSimulated,
  type TerminalSummary,
} from '../../server/api/in-person/terminals/terminal.records.ts';
import { Fault } from '../../protocol/failures.ts';
import { announce, printSeededWebhooks } from '../server/startup-output.ts';
import type { TwinEntry } from '../../simulator/twins/twin.ts';
import { command, oneOf } from '../command-line/command.ts';
import { SETTINGS } from '../command-line/config.ts';
import { createActivityPrinter } from '../log/activity-printer.ts';
import type { FleetSandbox, LocalFleet } from '../server/local-fleet.ts';
import { booleanOption, listOption, stringOption } from '../command-line/option.ts';
import { json } from '../command-line/output.ts';
import { upDetached } from '../server/up-detached.ts';
import { withProgress } from '../command-line/progress.ts';
import type { Seed, SeededWebhook } from '../server/seed.ts';
import { addDefaultTerminal, ensureDefaultTerminal } from '../server/default-terminal.ts';
import { SERVER_OPTIONS } from '../server/server-options.ts';
import type { StartedServer } from '../server/start-server.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** What stands beside a terminal that is added. */
type BesideTerminal = Pick<TwinEntry, 'name' | 'title'>;

export const up = command({
  name: 'up',
  details:
    'The first start registers a location with one simulated terminal. Every terminal whose serial number begins with SIM is simulated. With --json it prints one JSON line when ready.',
  parameters: {},
  options: {
    ...SERVER_OPTIONS,
    simAutostart: SETTINGS.simAutostart,
    seed: stringOption({
      flag: '--seed <file>',
      description:
        'JSON file with accounts, locations, terminals and webhooks to create, such as examples/seed.json',
    }),
    twin: listOption(
      '--twin <name>',
      'Add a terminal with this beside it: a stand-alone payment terminal that it is the till of (zvt, caisse-ap, ecr17, concert or nexo), or a receipt printer (escpos); several times for several',
    ),
    detach: booleanOption(
      '--detach',
      'Return when the server is ready, and leave it running until `tapbench down`; it logs to up.log in DATA_DIR',
    ),
    json,
  },
  examples: [
    { line: 'tapbench up', description: 'starts everything; take a payment with the command it prints' },
    { line: 'PORT=0 MQTT_PORT=0 tapbench up --ephemeral --json', description: 'for a test run' },
    {
      line: 'tapbench up --twin nexo',
      description: 'adds the terminal SIM-NEXO-0001, the till of a nexo terminal',
    },
    {
      line: 'tapbench up --twin escpos',
      description: 'adds the terminal SIM-ESCPOS-0001, which prints at a receipt printer',
    },
    { line: 'tapbench up --detach', description: 'for a script, which goes on when the server is ready' },
  ],
  async run({ context, options }) {
    const twins = await readTwins(options.twin);
    if (twins.length > 0 && options.simAutostart === 'off')
      throw new Fault('bad_setting', '--twin adds simulated terminals: leave out SIM_AUTOSTART=off');
    if (options.detach) return upDetached(context, options);
    const seed = options.seed === undefined ? undefined : await readSeed(options.seed);
    const { startServer } = await import('../server/start-server.ts');
    const simulates = options.simAutostart === 'on';
    const started = await startServer(context, options, {
      loadDrills: async (host) =>
        (await import('../drills/drill-player.ts')).createDrillPlayer(context, { ...host, simulates }),
      setUp: addDefaultTerminal,
      async onOpened(sandbox) {
        if (sandbox.isNew) await setUpSandbox(sandbox);
        if (!simulates) return async () => {};
        const { startLocalFleet } = await import('../server/local-fleet.ts');
        const simulated = await listSimulated(sandbox.services.store);
        if (sandbox.ending.aborted) return async () => {};
        const fleet = startLocalFleet(
          context,
          sandbox,
          simulated.map(({ id }) => id),
        );
        // The request that opened the sandbox may be a payment.
        await fleet.online;
        return fleet.close;
      },
    });
    let fleet: LocalFleet | undefined;
    try {
      const webhooks = seed && options.seed ? await plant(started, seed, options.seed) : [];
      const { locationId, simulated } = await setUp(started, twins);
      const names = new Map(simulated.map(({ id, serialNumber }) => [id, serialNumber]));
      const ids = simulated.map(({ id }) => id);
      if (started.mode === 'sandbox' && simulates) {
        fleet = (await import('../server/local-fleet.ts')).startLocalFleet(context, started, ids);
      }
      restoreAfterReset(started, async () => {
        const untilOnline = fleet?.trackOnline();
        const planted = seed && options.seed ? await plant(started, seed, options.seed) : [];
        const anew = (await setUp(started, twins)).simulated;
        await untilOnline?.(anew.map(({ id }) => id));
        // What a detached process prints is its log, which has no secrets.
        if (planted.length > 0 && !context.starter) printSeededWebhooks(context.out, planted, options.json);
      });
      const addresses = await started.listen();
      if (fleet) await withProgress(context, 'Waiting for the terminals to connect', () => fleet!.online);

      const terminals = simulated.map(({ id, serialNumber }) => ({ id, serialNumber }));
      const till = simulated.find(({ accountId }) => accountId === started.accounts.platformId);
      const announcement = {
        started,
        addresses,
        locationId,
        terminals,
        webhooks,
        exampleTerminalId: till?.id,
      };
      announce(context, announcement, options.json);
      if (!options.json) showActivities(context, started, names);
      await started.untilStopped();
    } finally {
      await fleet?.close();
      await started.stop();
    }
  },
});

/** @throws Fault `bad_setting` for the name of nothing that can be beside a terminal. */
async function readTwins(given: readonly string[]): Promise<BesideTerminal[]> {
  const { DEVICES_BESIDE } = await import('../../simulator/twins/twins.ts');
  const names = DEVICES_BESIDE.map(({ name }) => name);
  const chosen = new Set(given.map((name) => oneOf('--twin', names, name)));
  return DEVICES_BESIDE.filter(({ name }) => chosen.has(name));
}

async function readSeed(path: string): Promise<Seed> {
  const { readSeedFile } = await import('../server/seed.ts');
  return readSeedFile(path);
}

async function plant(started: StartedServer, seed: Seed, path: string): Promise<SeededWebhook[]> {
  const { applySeed } = await import('../server/seed.ts');
  const { services } = started.server;
  return applySeed(
    {
      api: started.api,
      async addAccount(name) {
        const id = services.ids.make('account');
        const { platformId } = started.accounts;
        const account = { id, platformId, type: 'Sub', name, settings: defaultSettings(name) } as const;
        await services.store.transaction((tx) => insertAccount(tx, account, services.clock.nowMs()));
        return id;
      },
    },
    seed,
    path,
  );
}

/**
 * Registers the default location and terminal in the sandbox, and those with these twins beside them; nothing with live keys.
 * @throws Fault `bad_setting` for twins with live keys
 */
async function setUp(
  started: StartedServer,
  twins: readonly BesideTerminal[],
): Promise<{ locationId: string | null; simulated: TerminalSummary[] }> {
  if (started.mode === 'live') {
    if (twins.length > 0)
      throw new Fault('bad_setting', '--twin needs sandbox keys: with live keys nothing is simulated');
    return { locationId: null, simulated: [] };
  }
  const known = await listSimulated(started.server.services.store);
  const api = started.api();
  const { platformId } = started.accounts;
  const { locationId, made } = await ensureDefaultTerminal(api, platformId, known);
  const simulated = made ? [...known, made] : known;
  for (const { name, title } of twins) {
    const serialNumber = `SIM-${name.toUpperCase()}-0001`;
    if (simulated.some((terminal) => terminal.serialNumber === serialNumber)) continue;
    const body = { serialNumber, locationId, name: title };
    const { id } = await api.call('POST /v1/in-person/terminals', { body });
    simulated.push({ id, serialNumber, accountId: platformId, locationId });
  }
  return { locationId, simulated };
}

/** Registers the default location and terminal in a sandbox that a server without terminals made. */
async function setUpSandbox({ services: { store, ids, clock } }: FleetSandbox): Promise<void> {
  const { platformId } = await firstAccounts(store);
  await store.transaction((tx) =>
    addDefaultTerminal(tx, { ids, nowMs: clock.nowMs(), accountId: platformId }),
  );
}

/** After a sandbox reset, creates again what the start created, without a rate limit. */
function restoreAfterReset({ server }: StartedServer, restore: () => Promise<void>): void {
  const { services } = server;
  services.program.onReset(async () => {
    const { rateLimit } = services.settings;
    services.settings.rateLimit = 'off';
    try {
      await restore();
    } finally {
      services.settings.rateLimit = rateLimit;
    }
  });
}

function showActivities(
  context: CommandContext,
  { server }: StartedServer,
  names: Map<string, string>,
): void {
  const nowMs = () => context.clock.nowMs();
  const show = createActivityPrinter({ out: context.out, nowMs, nameOf: (id) => names.get(id) ?? id });
  server.services.activities.listen('printed activities', (activity) => {
    if (activity.kind === 'terminal.registered') names.set(activity.terminalId, activity.serialNumber);
    show(activity);
  });
}
