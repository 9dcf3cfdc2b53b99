import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import type { Log } from '../../../protocol/log.ts';
import { maySubscribe, publishDenial, type Publish } from '../../../protocol/permissions.ts';
import { deniedTopic, type Principal } from '../../../protocol/topics.ts';
import type { RetainedBytes } from './retained-bytes.ts';
import type { ConnectedClient, Session, Sessions } from './sessions.ts';
import { mayUseClientId } from './terminal-credentials.ts';

export interface AccessOptions {
  /** Who has this name and password, or undefined; a rejection is answered "server unavailable". */
  authenticate(username: string, password: string): Promise<Principal | undefined>;
  log: Log;
}

/** What one connection, or one user, may take of the broker. */
export interface AccessLimits {
  /** Subscriptions of one connection; 200. A simulator of more terminals subscribes to the commands for all. */
  subscriptions: number;
  /** Denials of one connection that are logged; 100, so that a client that goes on does not fill the log. */
  loggedDenials: number;
}

/** Why a connection is refused, with the return code of CONNACK (MQTT 3.1.1, table 3.1). */
type ConnectionRefusal = Error & { returnCode: number };
type Subscription = { topic: string; qos: 0 | 1 | 2 };

/** What a broker asks before it does what a client wants, as aedes calls it. */
interface AccessRules<C> {
  preConnect(client: C, packet: { clean?: boolean }, done: (error: null, allowed: boolean) => void): void;
  authenticate(
    client: C,
    username: string | undefined,
    password: Buffer | undefined,
    done: (refused: ConnectionRefusal | null, allowed: boolean) => void,
  ): void;
  authorizePublish(
    client: C | null,
    packet: Publish & { payload: Buffer | string },
    done: (error: Error | null) => void,
  ): void;
  authorizeSubscribe(
    client: C,
    subscription: Subscription,
    done: (error: null, granted: Subscription | null) => void,
  ): void;
}

interface AccessParts<C extends ConnectedClient> extends AccessOptions {
  sessions: Sessions<C>;
  retained: RetainedBytes;
  limits: AccessLimits;
  /** Whether a connection is the server's own. */
  isTrusted(client: C): boolean;
}

/** Who may connect to the embedded broker, publish and subscribe. */
export function accessRules<C extends ConnectedClient>(parts: AccessParts<C>): AccessRules<C> {
  const { sessions, limits, isTrusted } = parts;
  return {
    preConnect(_client, packet, done) {
      // No session outlives its connection: what waited for an absent terminal would reach it stale, and what
      // became of its action it asks for by itself.
      packet.clean = true;
      done(null, true);
    },

    authenticate(client, username, password, done) {
      const admitted = isTrusted(client)
        ? Promise.resolve(sessionOf(parts, 'server', { kind: 'server' }))
        : identify(parts, client, username, password);
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
      const problem = problemOf(parts, session, packet);
      if (problem) {
        warnOfDenial(parts, session, { topic: printable(packet.topic), problem }, 'publish denied');
        setAside(packet, client.id);
      }
      done(null);
    },

    authorizeSubscribe(client, subscription, done) {
      const session = sessions.of(client);
      if (!session) return done(null, null);
      const { topic: filter } = subscription;
      const hasRoom = session.filters.size < limits.subscriptions || session.filters.has(filter);
      if (hasRoom && maySubscribe(session.principal, filter)) {
        session.filters.add(filter);
        return done(null, subscription);
      }
      const problem = hasRoom ? 'not a filter of this user' : 'too many subscriptions';
      warnOfDenial(parts, session, { filter: printable(filter), problem }, 'subscription denied');
      done(null, null); // SUBACK 0x80
    },
  };
}

const DENIALS = {
  topic: 'not a topic, or no declared message, of this user',
  qos: 'QoS 2 is not used',
  retain: 'this message is not retained',
};

function problemOf<C extends ConnectedClient>(
  { sessions, retained }: AccessParts<C>,
  session: Session,
  packet: Publish & { payload: Buffer | string },
): string | undefined {
  const { username, principal } = session;
  const denial = publishDenial(principal, packet);
  if (denial) return DENIALS[denial];
  if (principal.kind === 'server') return undefined;
  if (sessions.isRemoved(session)) return 'the terminal was deleted';
  if (!packet.retain || retained.retain(username, packet.topic, packet.payload.length)) return undefined;
  return 'too many bytes retained';
}

// Enough to see what was meant; the rest of it would wait in memory, at QoS 2 for a client that never goes on.
const DENIED_PAYLOAD_BYTES = 1_024;

/**
 * MQTT 3.1.1 has no way to refuse a publish but to hang up (MQTT-3.3.5-2), and a client that is hung up on sends
 * the same again, for ever. So it is taken, acknowledged and put aside. Wills come here too.
 */
function setAside(packet: Publish & { payload: Buffer | string }, clientId: string): void {
  packet.topic = deniedTopic(clientId, packet.topic);
  packet.retain = false;
  // A copy: a part of a buffer would keep the whole.
  packet.payload = Buffer.from(Buffer.from(packet.payload).subarray(0, DENIED_PAYLOAD_BYTES));
}

function warnOfDenial<C extends ConnectedClient>(
  { log, limits: { loggedDenials } }: AccessParts<C>,
  session: Session,
  details: object,
  message: string,
): void {
  const { username } = session;
  session.denials += 1;
  if (session.denials > loggedDenials) return;
  log.warn({ username, ...details }, message);
  if (session.denials < loggedDenials) return;
  log.warn({ username, loggedDenials }, 'further denials of this connection are not logged');
}

function sessionOf<C extends ConnectedClient>(
  { sessions }: AccessParts<C>,
  username: string,
  principal: Principal,
  revocations = sessions.revocations(username),
): Session {
  return { username, principal, filters: new Set(), denials: 0, revocations };
}

/** @throws ConnectionRefusal for wrong credentials, or another client id than theirs, or when that cannot be checked. */
async function identify<C extends ConnectedClient>(
  parts: AccessParts<C>,
  client: C,
  username = '',
  password: Buffer | undefined,
): Promise<Session> {
  const { authenticate, log, sessions } = parts;
  const who = { username: printable(username), clientId: printable(client.id) };
  // Taken before the credentials are read, so that a revocation in between is seen.
  const revocations = sessions.revocations(username);
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
  return sessionOf(parts, username, principal, revocations);
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

/** A name that a client chose, for a log line: short, so that none floods it, and without card numbers. */
export function printable(text: string): string {
  return maskCardNumbers(text, 'likely').slice(0, 100);
}
