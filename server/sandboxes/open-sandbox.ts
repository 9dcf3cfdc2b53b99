import type { RequestContext } from '../platform/http/request-context.ts';
import type { Services } from '../platform/services.ts';
import type { Store } from '../platform/store/store.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxStorage } from './sandbox-storage.ts';

/** A sandbox whose store is open and whose jobs run. */
export interface OpenSandbox {
  readonly context: RequestContext;
  readonly services: Services;
  /** Starts what calls the sandbox itself, such as its simulated terminals. Called once, when requests reach it. */
  surround(): Promise<void>;
  /** Closes the connections of open pages, for which the HTTP server would wait. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** Puts a sandbox together around its store, and starts it. Closes the store when it fails. */
export type StartSandbox = (record: SandboxRecord, store: Store) => Promise<OpenSandbox>;

/** A stored sandbox, open or closed. */
export interface SandboxEntry {
  record: SandboxRecord;
  /** Defined while it is open. */
  readonly opened: OpenSandbox | undefined;
  /** Opens it unless it is open. @throws Fault when its store cannot be opened */
  open(): Promise<OpenSandbox>;
  close(): Promise<void>;
}

export function createSandboxEntry(
  record: SandboxRecord,
  storage: SandboxStorage,
  start: StartSandbox,
): SandboxEntry {
  let opening: Promise<OpenSandbox> | undefined;
  let opened: OpenSandbox | undefined;

  async function openStored(): Promise<OpenSandbox> {
    try {
      entry.record = await storage.countOpen(entry.record);
      opened = await start(entry.record, await storage.open(entry.record));
      await opened.surround();
      return opened;
    } catch (thrown) {
      await opened?.close();
      opened = undefined;
      opening = undefined;
      throw thrown;
    }
  }

  const entry: SandboxEntry = {
    record,
    get opened() {
      return opened;
    },
    // What surrounds it calls it while it is being opened.
    open: async () => opened ?? (opening ??= openStored()),
    async close() {
      const last = await opening?.catch(() => undefined);
      opened = undefined;
      opening = undefined;
      await last?.close();
    },
  };
  return entry;
}
