import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import type { Log } from '../../../protocol/log.ts';
import { maySubscribe, publishDenial, type Publish } from '../../../protocol/permissions.ts';
import { deniedTopic, type Principal } from '../../../protocol/topics.ts';
import { Refusal } from '../http/refusals.ts';
import type { RetainedMessageQuota } from './retained-messages.ts';
import type { ConnectedClient, Session, Sessions } from './sessions.ts';
import { mayUseClientId } from './terminal-credentials.ts';

export interface AccessOptions {
  /**
   * Returns the user with this name and password, or undefined. When it rejects, the client gets "server unavailable".
   */
  authenticate(username: string, password: string): Promise<Principal | undefined>;
  log: Log;
  /** Called for each message that a user may not publish, as often as it is logged. */
  onDenied?: ((denied: { username: string; topic: string; reason: string }) => void) | undefined;
}

/** Limits of one connection, or of one user. */
export interface AccessLimits {
  /** Subscriptions of one connection; 200. A simulator with more terminals subscribes once to the commands for all. */
  subscriptions: number;
  /** Logged denials of one connection; 100, so that a client that keeps retrying does not fill the log. */
  loggedDenials: number;
}

/** Why a connection is refused, with the return code of CONNACK (MQTT 3.1.1, table 3.1). */
type ConnectionRefusal = Error & { returnCode: number };
type Subscription = { topic: string; qos: 0 | 1 | 2 };

/** The hooks that aedes calls before it does what a client requests. */
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
  retained: RetainedMessageQuota;
  limits: AccessLimits;
}

/** Creates the rules for who may connect to the embedded broker, publish and subscribe. */
export function accessRules<C extends ConnectedClient>(parts: AccessParts<C>): AccessRules<C> {
  const { sessions, limits } = parts;
  return {
    preConnect(_client, packet, done) {
      // Sessions are not persistent: a command queued for an absent terminal would arrive stale, and a terminal asks
      // for the result of its action itself.
      packet.clean = true;
      done(null, true);
    },

    authenticate(client, username, password, done) {
      identify(parts, client, username, password)
        .then((session) => takeOver(sessions, client, session))
        .then(
          () => done(null, true),
          (refused: ConnectionRefusal) => done(refused, false),
        );
    },

    authorizePublish(client, packet, done) {
      const session = client && sessions.of(client);
      if (!session) return done(new Error('the message has no sender'));
      const problem = problemOf(parts, session, packet);
      if (problem) {
        const topic = printable(packet.topic);
        warnOfDenial(parts, session, { topic, problem }, 'publish denied');
        if (session.denials <= parts.limits.loggedDenials)
          parts.onDenied?.({ username: session.username, topic, reason: problem });
        redirectDenied(packet, client.id);
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

// Enough to identify the message. The rest would stay in memory, at QoS 2 for a client that never completes the
// handshake.
const DENIED_PAYLOAD_BYTES = 1_024;

/**
 * Redirects a denied publish to another topic. MQTT 3.1.1 can refuse a publish only by closing the connection
 * (MQTT-3.3.5-2), and most clients then reconnect and send the same message again, without end. So the message is
 * acknowledged and not delivered. Wills are handled here too.
 */
function redirectDenied(packet: Publish & { payload: Buffer | string }, clientId: string): void {
  packet.topic = deniedTopic(clientId, packet.topic);
  packet.retain = false;
  // A copy, since a slice would keep the whole buffer in memory.
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
  revocation = sessions.latestRevocation(username),
): Session {
  return { username, principal, filters: new Set(), denials: 0, revocation };
}

/** @throws ConnectionRefusal for wrong credentials, for a client id that is not the user's, or when the check fails */
async function identify<C extends ConnectedClient>(
  parts: AccessParts<C>,
  client: C,
  username = '',
  password: Buffer | undefined,
): Promise<Session> {
  const { authenticate, log, sessions } = parts;
  const who = { username: printable(username), clientId: printable(client.id) };
  // Read before the credentials are checked, so that a revocation in between is noticed.
  const revocation = sessions.latestRevocation(username);
  let principal: Principal | undefined;
  try {
    principal = await authenticate(username, password?.toString('utf8') ?? '');
  } catch (error) {
    // A server that stops, or a sandbox that is being deleted, is no failure of this program.
    if (error instanceof Refusal) log.info(who, `connection refused: ${error.message}`);
    else log.error({ err: error, ...who }, 'credentials could not be checked');
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
  return sessionOf(parts, username, principal, revocation);
}

/**
 * Closes the existing connection with this client id (MQTT-3.1.4-2), which belongs to the same user. Waits until it
 * has closed, because aedes drops the new connection when an old one with the same id closes after it.
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

/** Shortens a name that a client chose and masks card numbers in it, for a log line. */
export function printable(text: string): string {
  return maskCardNumbers(text, 'likely').slice(0, 100);
}
