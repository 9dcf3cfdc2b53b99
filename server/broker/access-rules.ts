import type { Log } from '../../protocol/log.ts';
import { deniedTopic, mayPublish, maySubscribe, type Principal } from '../../protocol/topics.ts';
import type { ConnectedClient, Session, Sessions } from './sessions.ts';
import { mayUseClientId } from './terminal-credentials.ts';

export interface AccessOptions {
  /** Who has this name and password, or undefined; a rejection is answered "server unavailable". */
  authenticate(username: string, password: string): Promise<Principal | undefined>;
  log: Log;
}

/** Why a connection is refused, with the return code of CONNACK (MQTT 3.1.1, table 3.1). */
type ConnectionRefusal = Error & { returnCode: number };
type Subscription = { topic: string; qos: 0 | 1 | 2 };

/** What a broker asks before it does what a client wants, as aedes calls it. */
export interface AccessRules<C> {
  preConnect(client: C, packet: { clean?: boolean }, done: (error: null, allowed: boolean) => void): void;
  authenticate(
    client: C,
    username: string | undefined,
    password: Buffer | undefined,
    done: (refused: ConnectionRefusal | null, allowed: boolean) => void,
  ): void;
  authorizePublish(
    client: C | null,
    packet: { topic: string; retain: boolean },
    done: (error: Error | null) => void,
  ): void;
  authorizeSubscribe(
    client: C,
    subscription: Subscription,
    done: (error: null, granted: Subscription | null) => void,
  ): void;
}

/**
 * Who may connect to the embedded broker, publish and subscribe.
 * @param isTrusted whether a connection is the server's own
 */
export function accessRules<C extends ConnectedClient>(
  options: AccessOptions,
  sessions: Sessions<C>,
  isTrusted: (client: C) => boolean,
): AccessRules<C> {
  const { log } = options;
  return {
    preConnect(_client, packet, done) {
      // No session outlives its connection: what waited for an absent terminal would reach it stale, and what
      // became of its action it asks for by itself.
      packet.clean = true;
      done(null, true);
    },

    authenticate(client, username, password, done) {
      const admitted = isTrusted(client)
        ? Promise.resolve<Session>({ username: 'server', principal: { kind: 'server' } })
        : identify(options, client, username, password);
      admitted
        .then((session) => takeOver(sessions, client, session))
        .then(
          () => done(null, true),
          (refused: ConnectionRefusal) => done(refused, false),
        );
    },

    authorizePublish(client, packet, done) {
      const session = client && sessions.of(client);
      if (!session) return done(new Error('nobody sent this'));
      if (!mayPublish(session.principal, packet.topic)) {
        log.warn({ username: session.username, topic: printable(packet.topic) }, 'publish denied');
        // MQTT 3.1.1 has no way to refuse a publish but to hang up (MQTT-3.3.5-2), and a client that is hung up
        // on sends the same again, for ever. So it is taken, acknowledged and put aside. Wills come here too.
        packet.topic = deniedTopic(client.id, packet.topic);
        packet.retain = false;
      }
      done(null);
    },

    authorizeSubscribe(client, subscription, done) {
      const session = sessions.of(client);
      if (session && maySubscribe(session.principal, subscription.topic)) return done(null, subscription);
      log.warn({ username: session?.username, filter: printable(subscription.topic) }, 'subscription denied');
      done(null, null); // SUBACK 0x80
    },
  };
}

/** @throws ConnectionRefusal for wrong credentials, or another client id than theirs, or when that cannot be checked. */
async function identify(
  { authenticate, log }: AccessOptions,
  client: ConnectedClient,
  username = '',
  password: Buffer | undefined,
): Promise<Session> {
  const who = { username: printable(username), clientId: printable(client.id) };
  let principal: Principal | undefined;
  try {
    principal = await authenticate(username, password?.toString('utf8') ?? '');
  } catch (error) {
    log.error({ err: error, ...who }, 'credentials could not be checked');
    throw refusal(3, 'server unavailable');
  }
  if (!principal) {
    log.warn(who, 'connection refused: bad user name or password');
    throw refusal(4, 'bad user name or password');
  }
  if (!mayUseClientId(username, client.id)) {
    log.warn(who, 'connection refused: the MQTT client id must be the same as the user name');
    throw refusal(2, 'identifier rejected');
  }
  return { username, principal };
}

/**
 * Ends the connection that has this client id already (MQTT-3.1.4-2); it is the same user's. Waits for its end,
 * because aedes forgets the new connection when the old one of the same id, already closing, ends after it.
 */
async function takeOver<C extends ConnectedClient>(
  sessions: Sessions<C>,
  client: C,
  session: Session,
): Promise<void> {
  const holder = sessions.connectedAs(client.id);
  if (holder) await sessions.close(holder);
  sessions.admit(client, session);
}

function refusal(returnCode: number, message: string): ConnectionRefusal {
  return Object.assign(new Error(message), { returnCode });
}

/** A name that a client chose, for a log line: short, so that none floods it. */
export function printable(text: string): string {
  return text.slice(0, 100);
}
