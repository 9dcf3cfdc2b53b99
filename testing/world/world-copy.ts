import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../protocol/system/remove-folder.ts';
import { createRewoundStores, type RewoundStores } from '../../server/platform/store/rewound-stores.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { Fleet, FleetMember } from '../../simulator/fleet.ts';
import type { Receivers } from './receivers.ts';
import type { VirtualClock } from '../../world/virtual-clock.ts';

/** A world as it stands: what a fork of it begins with. */
export interface WorldCopy {
  /** Bytes of a SQLite file. */
  database: Uint8Array;
  /** Stores that begin with it, for a world that is forked often. */
  stores?: RewoundStores;
  terminals: FleetMember[];
  nowMs: number;
  /** By how much the sandbox clock was advanced by calls. */
  offsetMs: number;
  /** Names of the receivers. */
  receivers: string[];
  /** The same for every fork of a world, so that the same calls make the same ids. Other than that of the world. */
  seed: string;
}

interface CopiedWorld {
  store: Store;
  fleet: Fleet;
  clock: VirtualClock;
  receivers: Receivers;
  seed: string;
}

/** Copies a world. */
export interface WorldCopier {
  /** Copies the world, which is idle. @throws Error for a world on another engine than SQLite */
  take(): Promise<WorldCopy>;
  /** Closes what the stores of later worlds would use again. */
  close(): void;
}

/**
 * Creates what copies a world: store and terminals at the same moment. The file of a store that has not changed
 * since the last copy is not copied again, so that a prepared world is forked fast.
 */
export function createWorldCopier({ store, fleet, clock, receivers, seed }: CopiedWorld): WorldCopier {
  let last: { database: Uint8Array; stores: RewoundStores; version: string } | undefined;

  async function terminalsIfUnchanged(): Promise<FleetMember[] | undefined> {
    if (!last || last.version !== (await versionOf(store))) return undefined;
    const terminals = await fleet.exportState();
    return last.version === (await versionOf(store)) ? terminals : undefined;
  }

  return {
    async take() {
      let terminals = await terminalsIfUnchanged();
      if (!terminals) {
        const copy = await copyStore(store, fleet);
        terminals = copy.terminals;
        last?.stores.close();
        last = { ...copy, stores: createRewoundStores(copy.database) };
      }
      return {
        database: last!.database,
        stores: last!.stores,
        terminals,
        nowMs: clock.nowMs(),
        offsetMs: clock.offsetMs,
        receivers: receivers.names(),
        seed: `${seed} fork`,
      };
    },
    close: () => last?.stores.close(),
  };
}

async function copyStore(store: Store, fleet: Fleet) {
  if (!store.copyTo) throw new Error('a world on PostgreSQL cannot be forked');
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-fork-'));
  const path = join(folder, 'store.db');
  try {
    let terminals: FleetMember[] = [];
    let version = '';
    await store.copyTo(path, async () => {
      terminals = await fleet.exportState();
      version = await versionOf(store);
    });
    return { database: readFileSync(path), terminals, version };
  } finally {
    await removeFolder(folder);
  }
}

/**
 * Returns a text that differs after each commit: of another connection than the one that reads
 * (https://sqlite.org/pragma.html#pragma_data_version), and of that one.
 */
async function versionOf(store: Store): Promise<string> {
  const row = await store.get<{ version: string }>(
    "SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version",
  );
  return row!.version;
}
