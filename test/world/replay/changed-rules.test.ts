import { afterAll, expect, onTestFinished, test } from 'vitest';
import { DECLINED_CARDS, AUTHENTICATED_CARDS } from '../../../server/bank/issuer/test-cards.ts';
import { MAGIC_DECLINES } from '../../../server/bank/issuer/issuer.ts';
import type { ItemOf, Trace, TraceItem } from '../../../server/traces/trace-format.schema.ts';
import { describeDivergence, type DescribedDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { prepareSessions } from './recorded-session.ts';

const sessions = prepareSessions();
afterAll(() => sessions.close());

function itemsOf<K extends TraceItem['kind']>({ items }: Trace, kind: K): ItemOf<K>[] {
  return items.filter((item): item is ItemOf<K> => item.kind === kind);
}

const stepTo = (trace: Trace, state: string) =>
  itemsOf(trace, 'output').find(({ entry }) => entry.step?.state === state)!.entry.step!;

/** Changes a row of a table in the snapshot. */
function changeCells(trace: Trace, table: string, change: (text: string) => string): void {
  let current = '';
  trace.snapshot.lines = trace.snapshot.lines.map((line) => {
    if (!Array.isArray(line)) current = (line as { table?: string }).table ?? '';
    if (!Array.isArray(line) || current !== table) return line;
    return line.map((cell) => (typeof cell === 'string' ? change(cell) : cell));
  });
}

/** Sets a member until the test is over. */
function set<T extends object, K extends keyof T>(owner: T, name: K, value: T[K]): void {
  const before = owner[name];
  owner[name] = value;
  onTestFinished(() => void (owner[name] = before));
}

interface ChangedRule {
  rule: string;
  parts: string[];
  /** Changes the rule after the recording: in the program, or in what the trace says. */
  change(trace: Trace): void;
  divergence: Partial<DescribedDivergence>;
}

const RULES: ChangedRule[] = [
  {
    rule: 'the reason of a magic amount',
    parts: ['tapped card', 'magic amount'],
    change: () => set(MAGIC_DECLINES, 901, 'limit_exceeded'),
    divergence: {
      what: expect.stringContaining('the command action.decision declined'),
      path: 'title',
      recorded: expect.stringContaining('insufficient_funds'),
      replayed: expect.stringContaining('limit_exceeded'),
    },
  },
  {
    rule: 'whether magic amounts are on',
    parts: ['magic amount'],
    change: ({ header }) => void (header.settings.magicAmounts = 'off'),
    divergence: {
      what: expect.stringMatching(/^the step .* of serverAction /),
      path: 'step.event',
      recorded: 'issuer.declined',
      replayed: 'issuer.approved',
    },
  },
  {
    rule: 'the reason with which a card is declined online',
    parts: ['captured later', 'declined online'],
    change: () =>
      set(
        DECLINED_CARDS.find(({ number, cvc }) => number.startsWith('5') && cvc === '100')!,
        'code',
        'issuer_error',
      ),
    divergence: {
      what: expect.stringContaining('the event PaymentSession.declined'),
      path: 'detail.data.lastError',
      recorded: 'insufficient_funds',
      replayed: 'issuer_error',
    },
  },
  {
    rule: 'whether the issuer of a card asks its holder',
    parts: ['challenge passed'],
    change: () =>
      set(
        AUTHENTICATED_CARDS.find(({ number }) => number === '4918190000000002')!,
        'authentication',
        'frictionless',
      ),
    divergence: { path: 'step.event', recorded: 'challenge.required' },
  },
  {
    rule: 'how long a terminal waits for a card',
    parts: ['no card in time'],
    change: (trace) => void (stepTo(trace, 'awaitingCard').deadlineMs! += 30_000),
    divergence: { what: expect.stringContaining('the step awaitingCard of action'), path: 'step.deadlineMs' },
  },
  {
    rule: 'the card that is presented',
    parts: ['tapped card'],
    change: (trace) => void Object.assign(itemsOf(trace, 'act')[0]!.act, { card: 'mastercard-contactless' }),
    divergence: {
      what: expect.stringContaining('the step awaitingCard → reading of action'),
      path: 'step.device.card.name',
      recorded: 'visa-contactless',
      replayed: 'mastercard-contactless',
    },
  },
  {
    rule: 'whether a webhook is active',
    parts: ['captured and refunded'],
    change: (trace) => {
      const { lines } = trace.snapshot;
      const at = lines.findIndex((line) => (line as { table?: string }).table === 'webhooks');
      const active = (lines[at] as { columns: string[] }).columns.indexOf('active');
      (lines[at + 1] as unknown[])[active] = 0;
    },
    divergence: {
      what: expect.stringMatching(/^the event Customer.created/),
      path: 'detail.endpoints.0',
      replayed: undefined,
    },
  },
  {
    rule: 'what an endpoint answers',
    parts: ['endpoint that fails'],
    change: (trace) => void Object.assign(itemsOf(trace, 'answer')[0]!.answer, { status: 200 }),
    divergence: {
      what: expect.stringContaining('the webhook Terminal.action_updated'),
      path: 'title',
      replayed: expect.stringContaining('200'),
    },
  },
  {
    rule: 'by how much the clock is advanced',
    parts: ['triggered Subscription.past_due'],
    change(trace) {
      const call = itemsOf(trace, 'call').find(({ url }) => url === '/sandbox/clock/advance')!;
      call.body = { json: { seconds: 60 } };
    },
    divergence: { what: 'the reply to POST /sandbox/clock/advance', path: 'body.json.nowTimestamp' },
  },
  {
    rule: 'that a refund has an event',
    parts: ['captured and refunded'],
    change(trace) {
      trace.items = trace.items.filter(
        (item) =>
          !(item.kind === 'output' && item.entry.kind === 'event' && item.entry.title.endsWith('refunded')),
      );
    },
    divergence: {
      what: expect.stringContaining('the event PaymentSession.refunded'),
      recorded: undefined,
      replayed: 'PaymentSession.refunded',
    },
  },
  {
    rule: 'which currencies an account takes',
    parts: ['tapped card'],
    change: (trace) => changeCells(trace, 'accounts', (text) => text.replace('"GBP"', '"USD"')),
    divergence: {
      what: expect.stringMatching(/^the (?:reply to POST .*payment|step sent)/),
      path: '',
      replayed: undefined,
    },
  },
];

test.each(RULES)('replay: names the divergence when it is changed: $rule', async (changed) => {
  const trace = await sessions.record(changed.parts, 'changed rules');
  changed.change(trace);
  const result = await replayTrace(trace);
  expect(result.outcome).toBe('diverged');
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toMatchObject(
    changed.divergence,
  );
});
