import { Fault } from '../../protocol/failures.ts';
import type { Connector, LinkOptions } from '../../protocol/link.ts';
import { encode, type BodyOf, type DeclaredMessage, type Envelope } from '../../protocol/message.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { ReportsBatched } from '../../protocol/messages/inspection.messages.ts';
import { parseTopic } from '../../protocol/topics.ts';

/** Messages for inspection only, which are no part of an action. */
export const INSPECTION = new Set(['machine.stepped', 'display.shown', 'reader.traced']);

interface SentMessage {
  name: string;
  body: Record<string, unknown>;
  qos: 0 | 1;
  retain: boolean;
}

/**
 * A broker with one terminal: records the messages of the terminal, and can be disconnected. Connecting is immediate,
 * so a test need not wait.
 */
export class FakeNetwork {
  /** Every message that the terminal sent. */
  readonly sent: SentMessage[] = [];
  /** The link options of each agent. */
  readonly plans: LinkOptions[] = [];
  /** Names of messages whose next publish is lost and disconnects the link. */
  readonly disconnectAt = new Set<string>();
  #seqs = new Map<string, number>();
  #current: { plan: LinkOptions; online: boolean; opened: boolean } | undefined;
  #connected = true;

  /** For `AgentParts.connect`. */
  readonly connect: Connector = (plan) => {
    const connection = { plan, online: false, opened: false };
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
        connection.opened = true;
        this.#goOnline();
      },
      publish: async (envelope) => {
        if (!connection.online) throw new Fault('transport', 'not connected');
        this.#receive(envelope);
      },
      close: async () => {
        connection.opened = false;
        goOffline();
      },
      drop: () => {
        connection.opened = false;
        goOffline();
      },
    };
  };

  /** Disconnects the link until `restore`. */
  cut(): void {
    this.#connected = false;
    const connection = this.#current;
    if (!connection?.online) return;
    connection.online = false;
    connection.plan.handlers.offline();
  }

  restore(): void {
    this.#connected = true;
    this.#goOnline();
  }

  /** Delivers a command of the server, with the next sequence number or a given one. */
  command<M extends DeclaredMessage>(message: M, body: Omit<BodyOf<M>, 'seq'> & { seq?: number }): void {
    const { actionId } = body as unknown as { actionId: string };
    const seq = body.seq ?? (this.#seqs.get(actionId) ?? 0) + 1;
    this.#seqs.set(actionId, Math.max(seq, this.#seqs.get(actionId) ?? 0));
    const envelope = encode(message, this.#terminalId, { ...body, seq } as BodyOf<M>);
    this.deliver(envelope.topic, envelope.payload);
  }

  /** Skips a sequence number, as when a command is lost. */
  loseCommand(actionId: string): void {
    this.#seqs.set(actionId, (this.#seqs.get(actionId) ?? 0) + 1);
  }

  deliver(topic: string, payload: Uint8Array): void {
    if (this.#current?.online) this.#current.plan.handlers.message(topic, payload);
  }

  /** Names of the sent messages, in order, without those for inspection. */
  get messageNames(): string[] {
    return this.sent.map((message) => message.name).filter((name) => !INSPECTION.has(name));
  }

  /** The same without presence and descriptions; clears `sent`. */
  takeReports(): string[] {
    const reports = this.messageNames.filter((name) => name !== 'presence' && name !== 'machine.described');
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
    if (!connection || connection.online || !connection.opened || !this.#connected) return;
    connection.online = true;
    connection.plan.handlers.online();
  }

  #receive({ topic, payload, qos, retain }: Envelope): void {
    const name = parseTopic(topic)?.message ?? topic;
    if (this.disconnectAt.delete(name)) {
      this.cut();
      throw new Fault('transport', 'the connection was lost');
    }
    this.#record(name, JSON.parse(payload.toString('utf8')) as Record<string, unknown>, { qos, retain });
  }

  /** Records a message, or those of a batch. */
  #record(name: string, body: Record<string, unknown>, as: Pick<SentMessage, 'qos' | 'retain'>): void {
    const declared = ALL_MESSAGES.find((message) => message.name === name);
    const problems = declared?.check(body) ?? [{ path: name, message: 'is not a message of the protocol' }];
    if (problems.length > 0) throw new Error(`${name}: ${problems[0]!.path} ${problems[0]!.message}`);
    if (name !== ReportsBatched.name) return void this.sent.push({ name, body, ...as });
    const { reports } = body as BodyOf<typeof ReportsBatched>;
    for (const report of reports) this.#record(report.name, report.body as typeof body, as);
  }
}
