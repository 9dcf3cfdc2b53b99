import type { Store } from '../../server/platform/store/store.ts';
import type { NetworkBroker } from '../../world/compose-world.ts';

/** Replacements for SQLite in memory and the embedded broker, reached over the network in real time. */
export interface Engines {
  /** An open, migrated store; the world closes it. */
  store?: Store;
  broker?: NetworkBroker;
  /** Called when the world is closed. */
  close?(): Promise<void>;
}

let opener: (() => Promise<Engines>) | undefined;

/** Sets the engines for all worlds that are started without engines. */
export function useEngines(open: () => Promise<Engines>): void {
  opener = open;
}

export async function createEngines(): Promise<Engines | undefined> {
  return opener?.();
}
