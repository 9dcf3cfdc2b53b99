import type { LinkCredentials } from '../../protocol/link.ts';
import type { Store } from '../../server/platform/store/store.ts';

/** Replacements for SQLite in memory and the embedded broker, reached over the network in real time. */
export interface Engines {
  /** An open, migrated store; the world closes it. */
  store?: Store;
  broker?: {
    url: string;
    /** The server's own. */
    credentials: LinkCredentials;
    /** Adds credentials from a pairing to the broker. */
    admit(credentials: LinkCredentials): Promise<void>;
  };
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
