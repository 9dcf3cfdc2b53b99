import type { LinkCredentials } from '../../protocol/link.ts';
import type { Store } from '../../server/platform/store/store.ts';

/** Engines in place of SQLite in memory and the embedded broker. They answer over the network, in real time. */
export interface Engines {
  /** Open and migrated; the world closes it. */
  store?: Store;
  broker?: {
    url: string;
    /** The server's own. */
    credentials: LinkCredentials;
    /** Sees to it that the broker lets in whoever was paired just now. */
    admit(credentials: LinkCredentials): Promise<void>;
  };
  /** Called when the world has ended. */
  close?(): Promise<void>;
}

let opener: (() => Promise<Engines>) | undefined;

/** From now on a world that is given no engines of its own is started on those that `open` answers. */
export function useEngines(open: () => Promise<Engines>): void {
  opener = open;
}

export async function createEngines(): Promise<Engines | undefined> {
  return opener?.();
}
