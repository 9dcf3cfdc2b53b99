import type { Principal } from '../../protocol/topics.ts';

/** What of a broker's client is needed here. */
export interface ConnectedClient {
  readonly id: string;
  /** Calls back when closed; at once, when it is closing already. */
  close(done?: () => void): void;
}

export interface Session {
  username: string;
  principal: Principal;
}

/** Who is behind each connection. */
export interface Sessions<C extends ConnectedClient> {
  admit(client: C, session: Session): void;
  /** Known from admission on, and still while the last will is published. */
  of(client: C): Session | undefined;
  began(client: C): void;
  ended(client: C): void;
  connectedAs(clientId: string): C | undefined;
  connectionsOf(username: string): C[];
  /** Closes a connection and resolves when the broker has forgotten it. */
  close(client: C): Promise<void>;
}

// A connection that is closing already is forgotten two or three turns of the event loop later.
const CLOSING_TURNS_MAX = 100;

export function createSessions<C extends ConnectedClient>(): Sessions<C> {
  const admitted = new WeakMap<C, Session>();
  const connected = new Map<string, C>();
  const isConnected = (client: C) => connected.get(client.id) === client;
  const ended = (client: C) => {
    if (isConnected(client)) connected.delete(client.id);
  };
  return {
    admit: (client, session) => void admitted.set(client, session),
    of: (client) => admitted.get(client),
    began: (client) => void connected.set(client.id, client),
    ended,
    connectedAs: (clientId) => connected.get(clientId),
    connectionsOf: (username) =>
      [...connected.values()].filter((client) => admitted.get(client)?.username === username),
    async close(client) {
      await new Promise<void>((resolve) => client.close(resolve));
      for (let turn = 0; isConnected(client) && turn < CLOSING_TURNS_MAX; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      // A client that the broker lost sight of must not keep its id for ever.
      ended(client);
    },
  };
}
