import { afterAll, expect, test } from 'vitest';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import type { ItemOf, TraceItem } from '../../../server/traces/trace-item.schema.ts';
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

interface EditedRecording {
  /** What is edited in the trace: something that was sent, or that came of it. */
  edit: string;
  parts: string[];
  change(trace: Trace): void;
  divergence: Partial<DescribedDivergence>;
}

const EDITS: EditedRecording[] = [
  {
    edit: 'whether magic amounts are on',
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
    edit: 'until when a terminal waits for a card',
    parts: ['no card in time'],
    change: (trace) => void (stepTo(trace, 'awaitingCard').deadlineMs! += 30_000),
    divergence: { what: expect.stringContaining('the step awaitingCard of action'), path: 'step.deadlineMs' },
  },
  {
    edit: 'the card that is presented',
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
    edit: 'whether a webhook is active',
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
    edit: 'what an endpoint answers',
    parts: ['endpoint that fails'],
    change: (trace) => void Object.assign(itemsOf(trace, 'answer')[0]!.answer, { status: 200 }),
    divergence: {
      what: expect.stringContaining('the webhook Terminal.action_updated'),
      path: 'title',
      replayed: expect.stringContaining('200'),
    },
  },
  {
    edit: 'by how much the clock is advanced',
    parts: ['triggered Subscription.past_due'],
    change(trace) {
      const call = itemsOf(trace, 'call').find(({ url }) => url === '/sandbox/clock/advance')!;
      call.body = { json: { seconds: 60 } };
    },
    divergence: { what: 'the reply to POST /sandbox/clock/advance', path: 'body.json.offsetSeconds' },
  },
  {
    edit: 'that a refund has an event',
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
    edit: 'which currencies an account takes',
    parts: ['tapped card'],
    change: (trace) => changeCells(trace, 'accounts', (text) => text.replace('"GBP"', '"USD"')),
    divergence: {
      what: expect.stringMatching(/^the (?:reply to POST .*payment|step sent)/),
      path: '',
      replayed: undefined,
    },
  },
];

test.each(EDITS)('replay: names the divergence from a recording that was edited: $edit', async (edited) => {
  const trace = await sessions.record(edited.parts, 'edited');
  edited.change(trace);
  const result = await replayTrace(trace);
  expect(result.outcome).toBe('diverged');
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toMatchObject(
    edited.divergence,
  );
});
