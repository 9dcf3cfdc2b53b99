import type { Principal } from '../../../protocol/topics.ts';

/** What of a broker's client is needed here. */
export interface ConnectedClient {
  readonly id: string;
  /** Calls back when closed; at once, when it is closing already. */
  close(done?: () => void): void;
}

export interface Session {
  username: string;
  principal: Principal;
  /** Filters that were granted and not given up. */
  filters: Set<string>;
  /** Publishes and subscriptions that were denied. */
  denials: number;
  /** `revocations` of the user before its credentials were checked. */
  revocations: number;
}

/** Who is behind each connection. */
export interface Sessions<C extends ConnectedClient> {
  admit(client: C, session: Session): void;
  /** Known from admission on, and still while the last will is published. */
  of(client: C): Session | undefined;
  /** Notes that a client is connected, and closes it when its credentials were revoked meanwhile. */
  began(client: C): void;
  ended(client: C): void;
  connectedAs(clientId: string): C | undefined;
  /** Closes a connection and resolves when the broker has forgotten it. */
  close(client: C): Promise<void>;
  /** How often the credentials of a user were revoked. */
  revocations(username: string): number;
  /** Closes the connections of a user, and those that are just being made with the credentials up to now. */
  revoke(username: string): void;
  /** The same for a user that is gone: what those connections still say, as a last will, is not kept. */
  remove(username: string): void;
  isRemoved(session: Session): boolean;
}

// A connection that is closing already is forgotten two or three turns of the event loop later.
const CLOSING_TURNS_MAX = 100;

export function createSessions<C extends ConnectedClient>(): Sessions<C> {
  const admitted = new WeakMap<C, Session>();
  const connected = new Map<string, C>();
  const byUser = new Map<string, Set<C>>();
  const revoked = new Map<string, number>();
  const removedAt = new Map<string, number>();
  const revocations = (username: string) => revoked.get(username) ?? 0;
  const revoke = (username: string) => {
    revoked.set(username, revocations(username) + 1);
    for (const client of byUser.get(username) ?? []) client.close();
  };
  const isConnected = (client: C) => connected.get(client.id) === client;
  const ended = (client: C) => {
    if (isConnected(client)) connected.delete(client.id);
    const { username } = admitted.get(client) ?? {};
    if (username === undefined) return;
    const others = byUser.get(username);
    others?.delete(client);
    if (others?.size === 0) byUser.delete(username);
  };
  return {
    admit: (client, session) => void admitted.set(client, session),
    of: (client) => admitted.get(client),
    began(client) {
      connected.set(client.id, client);
      const session = admitted.get(client);
      if (!session) return;
      const { username } = session;
      byUser.set(username, (byUser.get(username) ?? new Set<C>()).add(client));
      if (session.revocations !== revocations(username)) client.close();
    },
    ended,
    connectedAs: (clientId) => connected.get(clientId),
    async close(client) {
      await new Promise<void>((resolve) => client.close(resolve));
      for (let turn = 0; isConnected(client) && turn < CLOSING_TURNS_MAX; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      // A client that the broker lost sight of must not keep its id for ever.
      ended(client);
    },
    revocations,
    revoke,
    remove(username) {
      removedAt.set(username, revocations(username) + 1);
      revoke(username);
    },
    isRemoved: (session) => session.revocations < (removedAt.get(session.username) ?? 0),
  };
}
