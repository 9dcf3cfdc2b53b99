import type { Clock } from '../../protocol/clock.ts';
import { decode, encode, type BodyOf } from '../../protocol/message.ts';
import {
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  StartAction,
} from '../../protocol/messages/action.messages.ts';
import { Simulate, Simulated, type SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { parseTopic, SERVER_FILTERS } from '../../protocol/topics.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import { memoryBroker } from './memory-broker.ts';

const U = '01J9Z6P1A2B3C4D5E6F7G8H9JK';

/** The `number`th id of its kind, in the form of the API. */
export const terminalIdOf = (number: number) => `tml_${U.slice(0, 20)}${String(number).padStart(6, '0')}`;
const actionIdOf = (number: number) => `tmlact_${U}_${U.slice(0, 20)}${String(number).padStart(6, '0')}`;

export type Start = Partial<BodyOf<typeof StartAction>>;

interface FakeServerOptions {
  /** Whether it answers requests to authorise. */
  decides?: boolean;
  /** What another fake server knows, which this one knows too. */
  memory?: FakeServerMemory;
}

/** What a fake server knows of its actions. */
export interface FakeServerMemory {
  approved: Set<string>;
  ended: Set<string>;
  starts: Map<string, BodyOf<typeof StartAction>>;
  /** Last sequence number by action. */
  seqs: Map<string, number>;
}

/**
 * A server that approves every card: pairing, and just as much of the life of an action as a terminal needs
 * to see. It repeats what it has decided when a terminal inquires.
 */
export function fakeServer(clock: Clock, { decides = true, memory }: FakeServerOptions = {}) {
  const broker = memoryBroker();
  const paired: string[] = [];
  const reports: { terminalId: string; name: string; body: unknown }[] = [];
  const answers: BodyOf<typeof Simulated>[] = [];
  const { approved, ended, starts, seqs }: FakeServerMemory = memory
    ? structuredClone(memory)
    : { approved: new Set(), ended: new Set(), starts: new Map(), seqs: new Map() };
  let requests = 0;
  let actions = seqs.size;

  const link = broker.connect({
    credentials: { clientId: 'server', username: 'server', password: '' },
    subscriptions: SERVER_FILTERS,
    handlers: {
      online: () => {},
      offline: () => {},
      message: (topic, payload) => {
        const { terminalId, message } = parseTopic(topic)!;
        if (message === Simulated.name) return void answers.push(decode(Simulated, payload));
        reports.push({ terminalId, name: message, body: JSON.parse(Buffer.from(payload).toString()) });
        if (message === AuthoriseAction.name && decides)
          approve(terminalId, decode(AuthoriseAction, payload).actionId);
        if (message === ActionCompleted.name) end(terminalId, decode(ActionCompleted, payload).actionId);
        if (message === ActionInquired.name) repeat(terminalId, decode(ActionInquired, payload).actionId);
      },
    },
  });
  link.open();

  const seqOf = (actionId: string) => {
    const seq = (seqs.get(actionId) ?? 0) + 1;
    seqs.set(actionId, seq);
    return seq;
  };
  const approve = (terminalId: string, actionId: string) => {
    approved.add(actionId);
    const body = {
      actionId,
      seq: seqOf(actionId),
      outcome: 'approved' as const,
      authorisationCode: 'A1B2C3',
    };
    void link.publish(encode(DecideAction, terminalId, body));
  };
  const end = (terminalId: string, actionId: string) => {
    ended.add(actionId);
    void link.publish(
      encode(EndAction, terminalId, { actionId, seq: seqOf(actionId), status: 'Succeeded' as const }),
    );
  };
  const repeat = (terminalId: string, actionId: string | undefined) => {
    if (actionId !== undefined && ended.has(actionId)) end(terminalId, actionId);
    else if (actionId !== undefined && approved.has(actionId)) approve(terminalId, actionId);
    const current = starts.get(terminalId);
    // The terminal asks about an earlier action: it did not get this start.
    if (current && current.actionId !== actionId && !ended.has(current.actionId))
      void link.publish(encode(StartAction, terminalId, { ...current, seq: seqOf(current.actionId) }));
  };

  const api: SandboxApi = {
    async request(method, path) {
      paired.push(`${method} ${path}`);
      const name = path.split('/').at(-1)!;
      return { status: 200, body: { clientId: name, username: name, password: `password of ${name}` } };
    },
  };

  return {
    broker,
    api,
    paired,
    reports,
    answers,
    ended,
    memory: { approved, ended, starts, seqs },
    /** Confirms a copy at the point of sale, and ends the action after the customer's. */
    confirm(terminalId: string, actionId: string, copy: 'merchantCopy' | 'customerCopy'): void {
      const body = { actionId, seq: seqOf(actionId), copy, status: 'Succeeded' as const };
      void link.publish(encode(ConfirmReceipt, terminalId, body));
      if (copy === 'customerCopy') end(terminalId, actionId);
    },
    reportsOf: (terminalId: string) =>
      reports.filter((report) => report.terminalId === terminalId).map(({ name }) => name),
    start(terminalId: string, start: Start = {}): string {
      const actionId = actionIdOf(++actions);
      const body: BodyOf<typeof StartAction> = {
        actionId,
        seq: seqOf(actionId),
        type: 'Payment',
        paymentSessionId: `ps_${U}`,
        amountMinor: 1742,
        currency: 'GBP',
        receiptPrintingSource: 'Terminal',
        expiresAtMs: clock.nowMs() + 10_000,
        presentCardMs: 120_000,
        merchantName: 'Corner Shop',
        ...start,
      };
      starts.set(terminalId, body);
      void link.publish(encode(StartAction, terminalId, body));
      return actionId;
    },
    simulate(terminalId: string, act: SimulationAct, requestId = `request-${++requests}`): void {
      void link.publish(encode(Simulate, terminalId, { requestId, act }));
    },
  };
}
