import type { JournalEntry } from '../../../agent/lifecycle/action-journal.ts';
import type { Connector, LinkOptions } from '../../../protocol/link.ts';
import type { Envelope } from '../../../protocol/message.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import type { Json } from '../kit/http-call.ts';

/** What a mutant knows of the terminal that it alters. It is kept through a power cut. */
export interface Altered {
  terminalId: string;
  /** How often the terminal has connected. */
  connects: number;
  /** The last body of each command and report, by name, as it came from the server or the firmware. */
  last: Record<string, Json>;
  /** How often each came within the action under way. */
  count: Record<string, number>;
  /** What the mutant itself has to remember. */
  kept: Record<string, unknown>;
  /** Sends a report by its name. */
  report(name: string, body: Json, options?: { retain?: boolean }): void;
  /** Ends the connection without a DISCONNECT, and connects again. */
  restart(): void;
}

/** Passes a message on, as it is or changed; one that is not passed on is lost. */
type Pass = (body: Json) => void;

/** By the name of the message. */
export type Alterations = Record<string, (body: Json, pass: Pass, terminal: Altered) => void>;

/** One small wrong change to the firmware. */
export interface Mutant {
  name: string;
  /** Id of the rule in docs/protocol.md that it breaks. */
  rule: string;
  /** The case that has to fail. */
  fails: string;
  /** What the certificate says of it. */
  reason: string;
  reports?: Alterations;
  commands?: Alterations;
  /** Called with each command as text, before it is read; false loses it. */
  payload?: (text: string, terminal: Altered, name: string) => boolean;
  connected?: (terminal: Altered) => void;
  plan?: (plan: LinkOptions) => LinkOptions;
  /** Called in place of each connect but the first. */
  reopens?: (open: () => void) => void;
  journal?: { save?: (entry: JournalEntry) => JournalEntry | undefined; keepsAtClear?: boolean };
}

/** Returns how the firmware of a mutant connects. */
export function connectorOf(mutant: Mutant): (connect: Connector) => Connector {
  let altered: Altered | undefined;
  return (connect) => (plan) => {
    const { username } = plan.credentials;
    const terminal: Altered = (altered ??= newTerminal(username));
    const link = connect({
      ...(mutant.plan?.(plan) ?? plan),
      handlers: {
        ...plan.handlers,
        online() {
          terminal.connects++;
          mutant.connected?.(terminal);
          plan.handlers.online();
        },
        message: (topic, payload) => receive(mutant, terminal, plan, topic, payload),
      },
    });
    terminal.report = (name, body, { retain = false } = {}) =>
      void link.publish(envelopeFor(username, name, body, retain)).catch(() => {});
    terminal.restart = () => {
      link.drop();
      link.open();
    };
    return {
      publish: (sent) => publish(mutant, terminal, link.publish.bind(link), sent),
      get online() {
        return link.online;
      },
      open: () => (mutant.reopens && terminal.connects > 0 ? mutant.reopens(() => link.open()) : link.open()),
      close: () => link.close(),
      drop: () => link.drop(),
    };
  };
}

function newTerminal(terminalId: string): Altered {
  const nothing = () => {};
  return { terminalId, connects: 0, last: {}, count: {}, kept: {}, report: nothing, restart: nothing };
}

function envelopeFor(terminalId: string, name: string, body: Json, retain: boolean): Envelope {
  const topic = `tapbench/terminals/${terminalId}/reports/${name.replaceAll('.', '-')}`;
  return { topic, payload: Buffer.from(JSON.stringify(body)), qos: 1, retain };
}

function seen(terminal: Altered, name: string, body: Json): void {
  terminal.count[name] = (terminal.count[name] ?? 0) + 1;
  terminal.last[name] = body;
}

function receive(
  mutant: Mutant,
  terminal: Altered,
  { handlers }: LinkOptions,
  topic: string,
  payload: Uint8Array,
): void {
  const pass = (bytes: Uint8Array) => handlers.message(topic, bytes);
  const text = Buffer.from(payload).toString('utf8');
  const name = parseTopic(topic)?.message ?? 'clock';
  if (mutant.payload?.(text, terminal, name) === false) return;
  const body = objectIn(text);
  if (!body) return pass(payload);
  const isNew = name === 'action.start' && body.actionId !== terminal.last[name]?.actionId;
  if (isNew) terminal.count = {};
  const alter = mutant.commands?.[name];
  if (alter) alter(body, (changed) => pass(Buffer.from(JSON.stringify(changed))), terminal);
  else pass(payload);
  seen(terminal, name, body);
}

function publish(
  mutant: Mutant,
  terminal: Altered,
  send: (sent: Envelope) => Promise<void>,
  sent: Envelope,
): Promise<void> {
  const name = parseTopic(sent.topic)?.message ?? '';
  const body = objectIn(sent.payload.toString('utf8'));
  const alter = mutant.reports?.[name];
  if (!body || !alter) {
    if (body) seen(terminal, name, body);
    return send(sent);
  }
  let done: Promise<void> = Promise.resolve();
  alter(
    body,
    (changed) => {
      done = send({ ...sent, payload: Buffer.from(JSON.stringify(changed)) });
    },
    terminal,
  );
  seen(terminal, name, body);
  return done;
}

/** Returns the object that a message holds, if it is one. */
function objectIn(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
