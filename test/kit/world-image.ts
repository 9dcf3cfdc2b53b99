import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../server/platform/store/store.ts';
import type { Fleet, FleetMember } from '../../simulator/fleet.ts';
import type { Receivers } from './receivers.ts';
import type { VirtualClock } from '../../world/virtual-clock.ts';

/** A world as it stands: what a fork of it begins with. */
export interface WorldImage {
  /** Bytes of a SQLite file. */
  database: Uint8Array;
  terminals: FleetMember[];
  nowMs: number;
  /** By how much the sandbox clock was advanced by calls. */
  offsetMs: number;
  /** Names of the receivers. */
  receivers: string[];
  /** The same for every fork of a world, so that the same calls make the same ids. Other than that of the world. */
  seed: string;
}

interface ImagedWorld {
  store: Store;
  fleet: Fleet;
  clock: VirtualClock;
  receivers: Receivers;
  seed: string;
}

/**
 * Returns a function that takes the image of a world that is idle: store and terminals at the same moment. The file of
 * a store that has not changed since the last image is not copied again, so that a prepared world is forked fast.
 * @throws Error for a world on another engine than SQLite
 */
export function imageTaker({ store, fleet, clock, receivers, seed }: ImagedWorld): () => Promise<WorldImage> {
  let last: { database: Uint8Array; version: number } | undefined;

  async function terminalsIfUnchanged(): Promise<FleetMember[] | undefined> {
    if (!last || last.version !== (await versionOf(store))) return undefined;
    const terminals = await fleet.exportState();
    return last.version === (await versionOf(store)) ? terminals : undefined;
  }

  return async () => {
    let terminals = await terminalsIfUnchanged();
    if (!terminals) {
      const copy = await copyStore(store, fleet);
      terminals = copy.terminals;
      last = copy;
    }
    return {
      database: last!.database,
      terminals,
      nowMs: clock.nowMs(),
      offsetMs: clock.offsetMs,
      receivers: receivers.names(),
      seed: `${seed} fork`,
    };
  };
}

async function copyStore(store: Store, fleet: Fleet) {
  if (!store.copyTo) throw new Error('a world on PostgreSQL cannot be forked');
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-fork-'));
  const path = join(folder, 'store.db');
  try {
    let terminals: FleetMember[] = [];
    let version = 0;
    await store.copyTo(path, async () => {
      terminals = await fleet.exportState();
      version = await versionOf(store);
    });
    return { database: readFileSync(path), terminals, version };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a number that differs after each commit (https://sqlite.org/pragma.html#pragma_data_version). */
async function versionOf(store: Store): Promise<number> {
  const row = await store.get<{ version: number }>('SELECT data_version AS version FROM pragma_data_version');
  return row!.version;
}
