import { expect, test } from 'vitest';
import { formatTime, createActivityPrinter } from '../../../cli/log/activity-printer.ts';
import type { Activity, ActivityOf } from '../../../server/platform/activities.ts';

const NOW_MS = new Date(2026, 0, 5, 9, 5, 7).getTime();

function shown(activities: Activity[], colours = false): string {
  let text = '';
  const show = createActivityPrinter({
    out: { write: (line) => void (text += line), isTerminal: colours, colours },
    nowMs: () => NOW_MS,
    nameOf: (id) => (id === 'tml_1' ? 'SIM-0001' : id),
  });
  activities.forEach(show);
  return text;
}

const request = (method: string, path: string, status = 200): Activity => ({
  kind: 'request',
  method,
  path,
  status,
  elapsedMs: 3.21,
});

test('createActivityPrinter: prints a line for each activity of a payment', () => {
  const story = shown([
    request('POST', '/v1/in-person/terminals/tml_1/payment'),
    {
      kind: 'action.updated',
      terminalId: 'tml_1',
      actionId: 'a',
      type: 'Payment',
      status: 'InProgress',
      detail: '',
    },
    {
      kind: 'terminal.stepped',
      terminalId: 'tml_1',
      actionId: 'a',
      event: 'card.presented',
      state: 'reading',
      deadlineMs: null,
    },
    {
      kind: 'event.recorded',
      eventId: 'ev_1',
      eventType: 'PaymentSession.captured',
      objectId: 'ps_1',
      body: {},
    },
    {
      kind: 'fault.struck',
      planId: 'plan_1',
      at: 'api.reply',
      what: 'reset',
      subject: 'POST /v1/customers',
      ids: [],
    },
    {
      kind: 'webhook.attempted',
      eventId: 'ev_1',
      webhookId: 'wh_1',
      eventType: 'PaymentSession.captured',
      url: 'http://127.0.0.1:3000/',
      attempt: 2,
      answer: '500',
      acknowledged: false,
      nextMs: null,
    },
    {
      kind: 'action.updated',
      terminalId: 'tml_1',
      actionId: 'a',
      type: 'Payment',
      status: 'Failed',
      detail: 'timeout',
    },
    { kind: 'terminal.presence', terminalId: 'tml_1', online: false },
  ]);
  expect(story.split('\n')).toEqual([
    '09:05:07  request   POST /v1/in-person/terminals/tml_1/payment  200  3.2 ms',
    '09:05:07  action    SIM-0001 Payment InProgress',
    '09:05:07  step      SIM-0001 card.presented, now reading',
    '09:05:07  event     PaymentSession.captured  ps_1',
    '09:05:07  fault     reset: POST /v1/customers',
    '09:05:07  webhook   PaymentSession.captured to http://127.0.0.1:3000/: 500  attempt 2',
    '09:05:07  action    SIM-0001 Payment Failed: timeout',
    '09:05:07  terminal  SIM-0001 offline',
    '',
  ]);
});

test('createActivityPrinter: prints repeated GET requests once', () => {
  const poll = request('GET', '/v1/in-person/terminals/tml_1');
  const lines = shown([poll, poll, poll, request('POST', '/v1/webhooks'), poll])
    .trim()
    .split('\n');
  expect(lines.map((line) => line.split(/ +/)[2])).toEqual(['GET', 'POST', 'GET']);
});

test('createActivityPrinter: leaves out health checks and pairing unless refused', () => {
  const waiting = request('GET', '/sandbox/certificates/cert_1/answers');
  expect(shown([request('GET', '/healthz'), request('POST', '/pairing/simulators'), waiting])).toBe('');
  expect(shown([request('GET', '/dashboard/drills'), request('GET', '/dashboard/drills/lost-reply')])).toBe(
    '',
  );
  expect(shown([request('POST', '/dashboard/drills/lost-reply/play')])).toContain('/play');
  expect(shown([request('POST', '/pairing/terminals/tml_9', 404)])).toContain('404');
});

test('createActivityPrinter: replaces control characters', () => {
  const line = shown([
    {
      kind: 'terminal.stepped',
      terminalId: 'tml_1',
      actionId: 'a',
      event: 'card\x1b[2J',
      state: 'reading\nforged',
      deadlineMs: null,
    },
  ]);
  expect(line).toContain('card·[2J, now reading·forged');
});

test('createActivityPrinter: colours only where the sink shows colours', () => {
  expect(shown([request('GET', '/nowhere', 404)])).not.toContain('\x1b');
  expect(shown([request('GET', '/nowhere', 404)], true)).toContain('\x1b[33m');
});

test('formatTime: formats the local time of day', () => {
  expect(formatTime(NOW_MS)).toBe('09:05:07');
});

test('createActivityPrinter: prints what a payment terminal reversed, or why it did not', () => {
  const reversal: ActivityOf<'device.reversed'> = {
    kind: 'device.reversed',
    terminalId: 'tml_1',
    actionId: 'a',
    outcome: 'Reversed',
    reference: '0042',
    amountMinor: 1742,
    currency: 'EUR',
    reason: null,
  };
  const text = shown([
    reversal,
    { ...reversal, outcome: 'NotReversed', reference: null, reason: 'reversal not possible' },
  ]);
  expect(text).toContain('reversed 17.42 EUR, receipt 0042');
  expect(text).toContain('did not reverse 17.42 EUR: reversal not possible');
});
