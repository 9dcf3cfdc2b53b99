import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock } from '../../protocol/clock.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import type { DrillPlayer } from '../../server/dashboard/drills/drill-player.ts';
import type { createOutgoing } from '../../server/platform/http/outgoing.ts';
import type { SandboxHosting } from '../../server/sandbox-host.ts';
import type { SetUpSandbox } from '../../server/sandboxes/first-objects.ts';
import type { SandboxStorage } from '../../server/sandboxes/sandbox-storage.ts';
import type { Transport } from '../../protocol/api-call.ts';
import { createApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import type { FleetSandbox } from './local-fleet.ts';
import type { ServerOptions } from './server-options.ts';

/** A server whose dashboard plays drills. */
export interface DrillHost {
  /** Its address. */
  url(): string;
  /** The key that creates sandboxes. */
  key: string;
  /** Whether plans of faults strike. */
  strikes: boolean;
}

/** What the program that runs the server does for each sandbox besides `default`. */
export interface SandboxProgram {
  /** Loads what plays drills; none are played without it. */
  loadDrills?(host: DrillHost): Promise<DrillPlayer>;
  /** Writes what it adds to a new sandbox. */
  setUp?: SetUpSandbox;
  /** Called when a sandbox was opened. Starts what it needs, and returns a function that ends it. */
  onOpened?(
    sandbox: FleetSandbox & { isNew: boolean; terminals: unknown; ending: AbortSignal },
  ): Promise<() => Promise<void>>;
}

/** The ways to the server in this process, set once it is composed. */
export interface InProcess {
  /** Address of the server, once it listens. */
  url: string;
  carry: Transport;
  connect: Connector;
}

interface StorageParts {
  /** Undefined when no data is kept. */
  dataDir: string | undefined;
  /** The database of the sandbox `default`; undefined for the embedded store. */
  databaseUrl: string | undefined;
  /** Schemas of the database that are kept ready for new sandboxes; none unless given. */
  poolSize?: number | undefined;
  /** Connections to the database at most. */
  connectionsMax?: number | undefined;
  log: Log;
}

interface HostingParts extends Pick<StorageParts, 'dataDir' | 'log'> {
  options: Pick<ServerOptions, 'databaseUrl' | 'databaseConnections' | 'sandboxSleepAfter' | 'sandboxPool'>;
  createOutgoing: typeof createOutgoing;
  program: SandboxProgram;
  lasting: CommandContext;
  realClock: Clock;
  inProcess: Partial<InProcess>;
}

/** Keeps sandboxes where `default` is kept: in the database, the data folder, or until the end of the process. */
export async function sandboxHosting(parts: HostingParts): Promise<SandboxHosting> {
  const { dataDir, log, program, lasting, realClock, inProcess } = parts;
  const { databaseUrl, databaseConnections, sandboxSleepAfter, sandboxPool: poolSize } = parts.options;
  const [storage, { restoreSandboxClock }] = await Promise.all([
    openSandboxStorage({ dataDir, databaseUrl, poolSize, connectionsMax: databaseConnections, log }),
    import('../../server/platform/sandbox-clock.ts'),
  ]);
  return {
    storage,
    ...(program.setUp && { setUp: program.setUp }),
    openClock: (store) => restoreSandboxClock(store, { realClock, log }),
    ...(sandboxSleepAfter > 0 && { sleepAfterMs: sandboxSleepAfter * 1000 }),
    openOutgoing: (clock) => parts.createOutgoing({ publicOnly: false, clock }),
    async onOpened(services, { isNew, journalFolder, terminals, hasSlept, ending }) {
      const { carry, connect } = inProcess;
      if (!program.onOpened) return async () => {};
      if (!carry || !connect) throw new Error('a sandbox was opened before the server was composed');
      const { secretKey } = services.settings;
      return program.onOpened({
        services,
        connect,
        api: () => createApi(lasting, carry, { url: '', secretKey }),
        dataDir: journalFolder && dirname(journalFolder),
        isNew,
        terminals,
        hasSlept,
        ending,
      });
    },
  };
}

/** Opens the storage of the sandboxes besides `default`. */
export async function openSandboxStorage({
  dataDir,
  databaseUrl,
  poolSize,
  connectionsMax,
  log,
}: StorageParts): Promise<SandboxStorage> {
  if (dataDir !== undefined && databaseUrl !== undefined) {
    const { createPostgresStorage } = await import('../../server/sandboxes/postgres-storage.ts');
    const folder = join(dataDir, 'database-sandboxes');
    return createPostgresStorage({ url: databaseUrl, folder, poolSize, connectionsMax, log });
  }
  const { createFolderStorage } = await import('../../server/sandboxes/folder-storage.ts');
  if (dataDir !== undefined) return createFolderStorage({ folder: join(dataDir, 'sandboxes'), log });
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-sandboxes-'));
  return createFolderStorage({ folder, ephemeral: true, log });
}
