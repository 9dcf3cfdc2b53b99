import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../server/platform/store/store.ts';
import type { Fleet, FleetMember } from '../../simulator/fleet.ts';
import type { Receivers } from './receivers.ts';
import type { VirtualClock } from './virtual-clock.ts';

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
 * Takes the image of a world that is idle: store and terminals at the same moment.
 * @throws Error for a world on another engine than SQLite
 */
export async function takeImage({ store, fleet, clock, receivers, seed }: ImagedWorld): Promise<WorldImage> {
  if (!store.copyTo) throw new Error('a world on PostgreSQL cannot be forked');
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-fork-'));
  const path = join(folder, 'store.db');
  try {
    let terminals: FleetMember[] = [];
    await store.copyTo(path, async () => {
      terminals = await fleet.exportState();
    });
    return {
      database: readFileSync(path),
      terminals,
      nowMs: clock.nowMs(),
      offsetMs: clock.offsetMs,
      receivers: receivers.names(),
      seed: `${seed} fork`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds the terminals of an image to the fleet of a fork, and waits until those that can are online. */
export async function addImagedTerminals(
  { terminals }: WorldImage,
  fleet: Fleet,
  until: (what: string, look: () => boolean) => Promise<unknown>,
): Promise<void> {
  if (terminals.length === 0) return;
  await Promise.all(terminals.map((member) => fleet.add(member)));
  const connects = terminals.filter(({ state }) => state?.power !== 'off' && state?.network !== 'off');
  await until('the terminals of the fork come online', () =>
    connects.every(({ terminalId }) => fleet.terminal(terminalId)?.online),
  );
  await fleet.controlled();
}
