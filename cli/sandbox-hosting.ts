import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Connector } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import type { createOutgoing } from '../server/platform/http/outgoing.ts';
import type { SandboxHosting } from '../server/sandbox-host.ts';
import { createApi, type Transport } from './api-client.ts';
import type { CommandContext } from './command-context.ts';
import type { FleetSandbox } from './local-fleet.ts';

/** Starts what surrounds a sandbox besides `default` that was opened, and returns a function that ends it. */
export type SurroundSandbox = (
  sandbox: FleetSandbox & { isNew: boolean; terminals: unknown },
) => Promise<() => Promise<void>>;

/** The ways to the server in this process, set once it is composed. */
export interface InProcess {
  carry: Transport;
  connect: Connector;
}

interface HostingParts {
  /** Undefined when no data is kept. */
  dataDir: string | undefined;
  log: Log;
  createOutgoing: typeof createOutgoing;
  surround: SurroundSandbox;
  lasting: CommandContext;
  inProcess: Partial<InProcess>;
}

/** Keeps sandboxes in the data folder, or in a temporary folder that is deleted at the end. */
export async function sandboxHosting(parts: HostingParts): Promise<SandboxHosting> {
  const { dataDir, log, surround, lasting, inProcess } = parts;
  const [{ createFolderStorage }, { restoreSandboxClock: openClock }] = await Promise.all([
    import('../server/sandboxes/folder-storage.ts'),
    import('../server/platform/sandbox-clock.ts'),
  ]);
  const ephemeral = dataDir === undefined;
  const folder = ephemeral ? mkdtempSync(join(tmpdir(), 'tapbench-sandboxes-')) : join(dataDir, 'sandboxes');
  return {
    storage: createFolderStorage({ folder, ephemeral, log }),
    openClock,
    openOutgoing: (clock) => parts.createOutgoing({ publicOnly: false, clock }),
    surround(services, { isNew, journalFolder, terminals }) {
      const { carry, connect } = inProcess;
      if (!carry || !connect) throw new Error('a sandbox was opened before the server was composed');
      const { secretKey } = services.settings;
      return surround({
        services,
        connect,
        api: () => createApi(lasting, carry, { url: '', secretKey }),
        dataDir: journalFolder && dirname(journalFolder),
        isNew,
        terminals,
      });
    },
  };
}
