import { Fault } from '../../protocol/failures.ts';
import type { Connector, LinkOptions } from '../../protocol/link.ts';
import { encode, type BodyOf, type DeclaredMessage, type Envelope } from '../../protocol/message.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { parseTopic } from '../../protocol/topics.ts';

/** Reports for who looks closer: no part of an action. */
export const INSPECTION = new Set(['machine.stepped', 'display.shown', 'reader.traced']);

interface SentMessage {
  name: string;
  body: Record<string, unknown>;
  qos: 0 | 1;
  retain: boolean;
}

/**
 * A broker with one terminal on it, seen from the broker: what the terminal said in order, and a hand on the
 * cable. Connecting is immediate, so a test reads without waiting.
 */
export class FakeNetwork {
  /** Every message that was taken. */
  readonly sent: SentMessage[] = [];
  /** What each plan of a link said; one for each agent that was made. */
  readonly plans: LinkOptions[] = [];
  /** Names of messages at whose next sending the cable breaks: the message is lost and the link goes down. */
  readonly breakAt = new Set<string>();
  #seqs = new Map<string, number>();
  #current: { plan: LinkOptions; online: boolean; wanted: boolean } | undefined;
  #cable = true;

  /** For `AgentParts.connect`. */
  readonly connect: Connector = (plan) => {
    const connection = { plan, online: false, wanted: false };
    this.#current = connection;
    this.plans.push(plan);
    const goOffline = () => {
      if (!connection.online) return;
      connection.online = false;
      plan.handlers.offline();
    };
    return {
      get online() {
        return connection.online;
      },
      open: () => {
        connection.wanted = true;
        this.#goOnline();
      },
      publish: async (envelope) => {
        if (!connection.online) throw new Fault('transport', 'not connected');
        this.#take(envelope);
      },
      close: async () => {
        connection.wanted = false;
        goOffline();
      },
      drop: () => {
        connection.wanted = false;
        goOffline();
      },
    };
  };

  /** Pulls the cable: the link is down until `mend`. */
  cut(): void {
    this.#cable = false;
    const connection = this.#current;
    if (!connection?.online) return;
    connection.online = false;
    connection.plan.handlers.offline();
  }

  mend(): void {
    this.#cable = true;
    this.#goOnline();
  }

  /** A command of the server, with the sequence number that is due, or a given one. */
  command<M extends DeclaredMessage>(message: M, body: Omit<BodyOf<M>, 'seq'> & { seq?: number }): void {
    const { actionId } = body as unknown as { actionId: string };
    const seq = body.seq ?? (this.#seqs.get(actionId) ?? 0) + 1;
    this.#seqs.set(actionId, Math.max(seq, this.#seqs.get(actionId) ?? 0));
    const envelope = encode(message, this.#terminalId, { ...body, seq } as BodyOf<M>);
    this.deliver(envelope.topic, envelope.payload);
  }

  /** Leaves out a sequence number, as when a command is lost on its way. */
  loseCommand(actionId: string): void {
    this.#seqs.set(actionId, (this.#seqs.get(actionId) ?? 0) + 1);
  }

  deliver(topic: string, payload: Uint8Array): void {
    if (this.#current?.online) this.#current.plan.handlers.message(topic, payload);
  }

  /** Names of what was said, in order, without what only inspection sees. */
  get said(): string[] {
    return this.sent.map((message) => message.name).filter((name) => !INSPECTION.has(name));
  }

  /** The same, of an action alone: no presence, no description. Forgets what it told. */
  takeReports(): string[] {
    const reports = this.said.filter((name) => name !== 'presence' && name !== 'machine.described');
    this.sent.length = 0;
    return reports;
  }

  last(name: string): Record<string, unknown> | undefined {
    return this.sent.findLast((message) => message.name === name)?.body;
  }

  get #terminalId(): string {
    return this.#current!.plan.credentials.username;
  }

  #goOnline(): void {
    const connection = this.#current;
    if (!connection || connection.online || !connection.wanted || !this.#cable) return;
    connection.online = true;
    connection.plan.handlers.online();
  }

  #take({ topic, payload, qos, retain }: Envelope): void {
    const name = parseTopic(topic)?.message ?? topic;
    if (this.breakAt.delete(name)) {
      this.cut();
      throw new Fault('transport', 'the connection broke');
    }
    const body = JSON.parse(payload.toString('utf8')) as Record<string, unknown>;
    const declared = ALL_MESSAGES.find((message) => message.name === name);
    const problems = declared?.check(body) ?? [{ path: name, message: 'is not a message of the protocol' }];
    if (problems.length > 0) throw new Error(`${name}: ${problems[0]!.path} ${problems[0]!.message}`);
    this.sent.push({ name, body, qos, retain });
  }
}
