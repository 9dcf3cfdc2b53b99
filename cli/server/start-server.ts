import { OffsetClock, processClock } from '../../protocol/clock.ts';
import { ACTION_MACHINE_NAMES } from '../../agent/inspection.ts';
import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { createIds, type Ids } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import { killOwnProcess } from '../../protocol/system/process-group.ts';
import type { FirstAccounts } from '../../server/api/bootstrap/bootstrap.ts';
import type { SandboxHosting } from '../../server/sandbox-host.ts';
import type { Server, ServerParts } from '../../server/app.ts';
import { credentialsIn, type Addresses } from '../data-folder/addresses.ts';
import { createApi, type ServerApi } from '../client/api-client.ts';
import { serverLog } from '../log/command-log.ts';
import { checkHostKey, type Keys } from '../data-folder/server-keys.ts';
import { createDataFolder, resolveKeys } from '../data-folder/data-folder.ts';
import { openStopPort } from '../data-folder/stop-port.ts';
import { injectTransport } from '../../world/inject-transport.ts';
import { listen } from './server-ports.ts';
import { readAddress, removeAddress } from '../command-line/server-address.ts';
import { sandboxHosting, type InProcess, type SandboxProgram } from './sandbox-hosting.ts';
import { type ServerOptions, logLimits, snapshotLimits } from './server-options.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-line/command-context.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { Services } from '../../server/platform/services.ts';
import type { Mode, ServerSettings } from '../../server/platform/settings.ts';

/** A started server that does not listen yet. */
export interface StartedServer {
  server: Server;
  /** Of the sandbox `default`. */
  services: Services;
  keys: Keys;
  mode: Mode;
  accounts: FirstAccounts;
  log: Log;
  /** Undefined when no data is kept. */
  dataDir: string | undefined;
  /** Connects a terminal in this process to the broker. */
  connect: Connector;
  /** Returns a client without the network; without a rate limit until `listen`. */
  api(accountId?: string): ServerApi;
  /** @throws Fault `port_in_use` or `bad_setting`, naming the setting. */
  listen(): Promise<Addresses>;
  /**
   * Resolves when the command is interrupted, or `tapbench down` stops the server. The server is ready then: faults can kill it from now on.
   * @throws Fault `store` when the store has failed for as long as STORE_EXIT_AFTER allows.
   */
  untilStopped(): Promise<void>;
  stop(): Promise<void>;
}

const STOP_KEY_BYTES = 32;

/**
 * Starts a server and locks its data folder.
 * @throws Fault for an invalid setting, a data folder that cannot be used or is in use, a store that cannot be
 * opened.
 */
export async function startServer(
  context: CommandContext,
  options: ServerOptions,
  program: SandboxProgram = {},
): Promise<StartedServer> {
  if (options.killable && options.ephemeral)
    throw new Fault('bad_setting', '--killable needs data that outlives the process: leave out --ephemeral');
  const log = serverLog(context, options);
  const dataDir = options.ephemeral ? undefined : options.dataDir;
  // Loads the server's modules while the folder and the store are opened.
  const app = Promise.all([import('../../server/app.ts'), import('../../server/platform/http/outgoing.ts')]);
  app.catch(() => {});
  const ids = createIds(context.clock, context.random);
  const folder = dataDir === undefined ? undefined : await takeFolder(dataDir, ids, log);
  const cleanup: (() => unknown)[] = [() => folder?.release()];
  try {
    const { keys, mode } = resolveKeys(options, dataDir, ids);
    const settings = settingsOf(options, keys, mode);
    const { store, clock, realClock, stopClock } = await openStoreAndClocks(context, options, dataDir, log);
    cleanup.unshift(stopClock, () => store.close());
    const instanceId = ids.uuid();
    const external = await externalBroker(context, options, keys, instanceId, log);
    const [{ createServer }, { createOutgoing }] = await app;
    const { random } = context;
    const outgoing = createOutgoing({ publicOnly: mode === 'live', clock: context.clock });
    const storeLoss = createStoreLossWatcher(options.storeExitAfter);
    let ready = () => {};
    const killer = { kill: killOwnProcess, ready: new Promise<void>((resolve) => (ready = resolve)) };
    const parts = { settings, store, clock, realClock, random, log, outgoing, instanceId };
    const lasting = uninterrupted(context);
    const inProcess: Partial<InProcess> = {};
    const hosting = { dataDir, options, log, createOutgoing, program, lasting, realClock, inProcess };
    const sandboxes = mode === 'sandbox' ? await sandboxHosting(hosting) : undefined;
    const server = await createServer({
      ...parts,
      ...(options.killable && { killer }),
      terminalMachine: ACTION_MACHINE_NAMES,
      ...(sandboxes && hostParts(sandboxes, { program, options, keys, inProcess })),
      ...(external && { externalBroker: external }),
      whenStoreIsLost: storeLoss.whenLost,
      replaceKeys: options.replaceKeys,
    });
    cleanup.splice(1, 1, () => server.stop());
    const carry = injectTransport(server);
    const connect = external?.connect ?? (await embeddedConnector(context, server, log));
    Object.assign(inProcess, { carry, connect });
    const accounts = await server.start();
    let stopped: Promise<void> | undefined;
    return {
      server,
      services: server.services,
      keys,
      mode,
      accounts,
      log,
      dataDir,
      connect,
      api: (account) => createApi(lasting, carry, { url: '', secretKey: keys.secretKey, account }),
      listen: () => listen(context, server, { options, settings, dataDir, log, inProcess }),
      untilStopped() {
        ready();
        return Promise.race([untilInterrupted(context), storeLoss.lost, ...(folder?.stopAsked ?? [])]);
      },
      stop: () => (stopped ??= runCleanup(cleanup)),
    };
  } catch (error) {
    await runCleanup(cleanup).catch(() => {});
    throw error;
  }
}

interface HostParts {
  program: SandboxProgram;
  options: ServerOptions;
  keys: Keys;
  inProcess: Partial<InProcess>;
}

/** Returns what a server needs for other sandboxes than `default`, and for the drills that are played in them. */
function hostParts(
  sandboxes: SandboxHosting,
  { program: { loadDrills }, options, keys, inProcess }: HostParts,
): Pick<ServerParts, 'sandboxes' | 'loadDrills'> {
  const hosting = { sandboxes: { ...sandboxes, snapshots: snapshotLimits(options) } };
  if (!loadDrills) return hosting;
  const host = {
    url: () => inProcess.url ?? '',
    key: options.hostKey ?? keys.secretKey,
    strikes: options.faults !== 'off',
  };
  return { ...hosting, loadDrills: () => loadDrills(host) };
}

function settingsOf(options: ServerOptions, keys: Keys, mode: Mode): ServerSettings {
  checkHostKey(options.hostKey);
  return {
    ...keys,
    hostKey: options.hostKey,
    mode,
    // Switched on by `listen`: the setup calls are not limited.
    rateLimit: 'off',
    magicAmounts: options.magicAmounts,
    walletDomainCheck: options.walletDomainCheck,
    idempotencyKeys: options.idempotencyKeys,
    strict: options.strict,
    pace: options.pace,
    faults: options.faults,
    retentionDays: options.retentionDays,
    ...logLimits(options),
    publicUrl: '',
  };
}

/** @param seconds 0 is never */
function createStoreLossWatcher(seconds: number) {
  let reject!: (fault: Fault) => void;
  const lost = new Promise<never>((_, refuse) => (reject = refuse));
  lost.catch(() => {});
  const run = (reason: string) =>
    reject(new Fault('store', `the store failed for ${seconds} s (STORE_EXIT_AFTER): ${reason}`));
  return { lost, whenLost: seconds === 0 ? undefined : { afterMs: seconds * 1000, run } };
}

async function runCleanup(cleanup: (() => unknown)[]): Promise<void> {
  for (const step of cleanup) await step();
}

interface TakenFolder {
  /** When `tapbench down` asks to stop; empty where it cannot. */
  stopAsked: Promise<void>[];
  release(): void;
}

/** Locks the data folder, and lets `tapbench down` stop this process. */
async function takeFolder(dataDir: string, ids: Ids, log: Log): Promise<TakenFolder> {
  const { lockFolder } = await import('../../server/platform/store/folder-lock.ts');
  createDataFolder(dataDir);
  const { release } = lockFolder(dataDir, holderOf);
  const stopPort = await openStopPort(dataDir, ids.secret(STOP_KEY_BYTES)).catch((thrown: unknown) => {
    log.warn({ reason: messageOf(thrown) }, "'tapbench down' cannot stop this server");
    return undefined;
  });
  return {
    stopAsked: stopPort ? [stopPort.asked] : [],
    release() {
      stopPort?.close();
      removeAddress(dataDir);
      release();
    },
  };
}

/** Returns the address of the server that has a data folder; undefined where its file says none. */
function holderOf(dataDir: string): string | undefined {
  try {
    return readAddress(dataDir);
  } catch {
    return undefined;
  }
}

async function openStoreAndClocks(
  context: CommandContext,
  { databaseUrl, databaseConnections: connectionsMax }: ServerOptions,
  dataDir: string | undefined,
  log: Log,
) {
  const [{ openStore }, { refuseRunningServers }, { restoreSandboxClock, logTimerFailure }] =
    await Promise.all([
      import('../../server/platform/store/open-store.ts'),
      import('../../server/platform/instances/other-instances.ts'),
      import('../../server/platform/sandbox-clock.ts'),
    ]);
  const where = dataDir === undefined ? { path: ':memory:' } : { path: join(dataDir, 'store.db') };
  const url = dataDir === undefined || databaseUrl === undefined ? {} : { databaseUrl, connectionsMax };
  const beforeUpdate = (store: Store) => refuseRunningServers(store, { realClock: context.clock, log });
  const store = await openStore({ ...where, ...url, beforeUpdate, log });
  try {
    const base = store.engine === 'postgres' ? await databaseClock(context, store, log) : undefined;
    const realClock = new OffsetClock(base?.clock ?? context.clock, 0, logTimerFailure(log));
    const clock = await restoreSandboxClock(store, { realClock, log });
    return { store, clock, realClock, stopClock: async () => base?.stop() };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/** Returns the clock that all servers on a database share. */
async function databaseClock({ clock: machineClock }: CommandContext, store: Store, log: Log) {
  const { followDatabaseClock } = await import('../../server/platform/store/database-clock.ts');
  return followDatabaseClock({ queries: store, counter: processClock(), machineClock, log });
}

async function externalBroker(
  { clock, random }: CommandContext,
  { mqttUrl }: ServerOptions,
  { pairingSecret }: Keys,
  instanceId: string,
  log: Log,
): Promise<ServerParts['externalBroker']> {
  if (mqttUrl === undefined) return undefined;
  const [{ mqttConnector }, { SERVER_RECONNECT }, { serverCredentials }] = await Promise.all([
    import('../../protocol/mqtt-link.ts'),
    import('../../server/platform/broker/shared-connection.ts'),
    import('../../server/platform/broker/terminal-credentials.ts'),
  ]);
  return {
    connect: mqttConnector({ ...SERVER_RECONNECT, url: mqttUrl, clock, random, log }),
    credentials: serverCredentials(pairingSecret, instanceId, credentialsIn(mqttUrl)),
  };
}

async function embeddedConnector(
  { clock, random }: CommandContext,
  server: Server,
  log: Log,
): Promise<Connector> {
  const { mqttConnector } = await import('../../protocol/mqtt-link.ts');
  return mqttConnector({ openStream: () => server.broker!.openStream(), clock, random, log });
}
