import type { Principal } from '../../../protocol/topics.ts';
import { setBounded } from '../bounded-map.ts';

/** The part of a broker's client that is used here. */
export interface ConnectedClient {
  readonly id: string;
  /** Calls back when closed; at once, when it is closing already. */
  close(done?: () => void): void;
}

export interface Session {
  username: string;
  principal: Principal;
  /** Subscribed filters. */
  filters: Set<string>;
  /** Publishes and subscriptions that were denied. */
  denials: number;
  /** `latestRevocation` of the user before its credentials were checked. */
  revocation: number;
}

/** The authenticated session of each connection. */
export interface Sessions<C extends ConnectedClient> {
  admit(client: C, session: Session): void;
  /** The session of a client, from admission until after its last will is published. */
  of(client: C): Session | undefined;
  /** Registers a connected client, and closes it when its credentials were revoked meanwhile. */
  connected(client: C): void;
  disconnected(client: C): void;
  connectedAs(clientId: string): C | undefined;
  /** Closes a connection and resolves when the broker has removed it. */
  close(client: C): Promise<void>;
  /** The number of the latest revocation of a user's credentials; 0 for none. */
  latestRevocation(username: string): number;
  /** Closes the connections of a user, including those that are being established with the old credentials. */
  revoke(username: string): void;
  /** Revokes the credentials of a removed user; what its connections still publish, such as a last will, is dropped. */
  remove(username: string): void;
  isRemoved(session: Session): boolean;
  /** Users that are connected. */
  users(): string[];
  /** The connections of a user. */
  clientsOf(username: string): C[];
}

// The broker removes a connection two or three turns of the event loop after it began to close.
const CLOSING_TURNS_MAX = 100;

// A revocation matters to the connections that were being established at the time, or publish their last will: far
// fewer than these are revoked while one of them lasts.
const REVOCATIONS_MAX = 20_000;

export function createSessions<C extends ConnectedClient>(): Sessions<C> {
  const admitted = new WeakMap<C, Session>();
  const clientsById = new Map<string, C>();
  const byUser = new Map<string, Set<C>>();
  const revoked = new Map<string, number>();
  const removedAt = new Map<string, number>();
  // Counts for all users together, so that a user's number never comes again after it was forgotten.
  let revocations = 0;
  const latestRevocation = (username: string) => revoked.get(username) ?? 0;
  const revoke = (username: string) => {
    setLatest(revoked, username, ++revocations);
    for (const client of byUser.get(username) ?? []) client.close();
  };
  const isConnected = (client: C) => clientsById.get(client.id) === client;
  const disconnected = (client: C) => {
    if (isConnected(client)) clientsById.delete(client.id);
    const { username } = admitted.get(client) ?? {};
    if (username === undefined) return;
    const others = byUser.get(username);
    others?.delete(client);
    if (others?.size === 0) byUser.delete(username);
  };
  return {
    admit: (client, session) => void admitted.set(client, session),
    of: (client) => admitted.get(client),
    connected(client) {
      clientsById.set(client.id, client);
      const session = admitted.get(client);
      if (!session) return;
      const { username } = session;
      byUser.set(username, (byUser.get(username) ?? new Set<C>()).add(client));
      if (session.revocation !== latestRevocation(username)) client.close();
    },
    disconnected,
    connectedAs: (clientId) => clientsById.get(clientId),
    async close(client) {
      await new Promise<void>((resolve) => client.close(resolve));
      for (let turn = 0; isConnected(client) && turn < CLOSING_TURNS_MAX; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      // A client that the broker does not remove must not hold its id for ever.
      disconnected(client);
    },
    latestRevocation,
    revoke,
    remove(username) {
      // First, since closing a connection may publish its last will at once.
      setLatest(removedAt, username, revocations + 1);
      revoke(username);
    },
    users: () => [...byUser.keys()],
    clientsOf: (username) => [...(byUser.get(username) ?? [])],
    isRemoved: (session) => session.revocation < (removedAt.get(session.username) ?? 0),
  };
}

/** Sets a value as the newest of the map. */
function setLatest(map: Map<string, number>, username: string, value: number): void {
  map.delete(username);
  setBounded(map, REVOCATIONS_MAX, username, value);
}
