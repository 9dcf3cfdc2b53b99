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
  /** How the numbers of its reports differ from those of the firmware: a mutant that loses a report does not leave a gap too. */
  numbers: { actionId: string; shift: number; last: number };
  /** Sends a report by its name, with the next number of its action. */
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
  /** Other cases that fail although they do not name the rule, with what the certificate says of each. */
  alsoFails?: Record<string, string>;
  /** Cases that are not shown, besides those that need one that fails, with what the certificate says of each. */
  notShown?: Record<string, string>;
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
      void link
        .publish(envelopeFor(username, name, withNextNumber(terminal, name, body), retain))
        .catch(() => {});
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
  const numbers = { actionId: '', shift: 0, last: 0 };
  return {
    terminalId,
    connects: 0,
    last: {},
    count: {},
    kept: {},
    numbers,
    report: nothing,
    restart: nothing,
  };
}

/** Returns a report with the number that it has once others of its action were lost or added. */
function shifted({ numbers }: Altered, body: Json): Json {
  if (body.actionId === undefined) return body;
  if (body.actionId !== numbers.actionId)
    Object.assign(numbers, { actionId: body.actionId, shift: 0, last: 0 });
  return { ...body, seq: body.seq + numbers.shift };
}

function withNextNumber({ numbers }: Altered, name: string, body: Json): Json {
  if (!/^(action|receipt)\./.test(name) || body.actionId !== numbers.actionId) return body;
  numbers.shift += 1;
  numbers.last += 1;
  return { ...body, seq: numbers.last };
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
  const found = objectIn(sent.payload.toString('utf8'));
  if (!found) return send(sent);
  const body = found.seq === undefined ? found : shifted(terminal, found);
  const alter = mutant.reports?.[name] ?? ((same: Json, pass: Pass) => pass(same));
  let done: Promise<void> = Promise.resolve();
  let isLate = false;
  let hasNumber = false;
  alter(
    body,
    (changed) => {
      const numbered = isLate ? withNextNumber(terminal, name, changed) : changed;
      hasNumber ||= numbered.actionId !== undefined && numbered.seq !== undefined;
      if (hasNumber && !isLate) terminal.numbers.last = numbered.seq;
      done = send({ ...sent, payload: Buffer.from(JSON.stringify(numbered)) });
    },
    terminal,
  );
  isLate = true;
  if (body.actionId !== undefined && body.seq !== undefined && !hasNumber) terminal.numbers.shift -= 1;
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
