import { expect, test } from 'vitest';
import { nextDue, secondsUntil } from '../../../../server/dashboard/page/clock/advance-options.ts';
import { matchesFilter, groupOf } from '../../../../server/dashboard/page/fleet/fleet-filter.ts';
import { splitName } from '../../../../server/dashboard/page/fleet/split-name.ts';
import { nextCell } from '../../../../server/dashboard/page/fleet/grid-navigation.ts';
import { secretInHash } from '../../../../server/dashboard/page/link/link-secret.ts';
import { kindOf } from '../../../../server/dashboard/page/objects/object-kinds.ts';
import { hrefOf, parseHash, type Route } from '../../../../server/dashboard/page/route.ts';
import { hexRows } from '../../../../server/dashboard/page/timeline/hex-rows.ts';
import { jsonTokens } from '../../../../server/dashboard/page/timeline/json-tokens.ts';
import { deliveriesOf } from '../../../../server/dashboard/page/webhooks/deliveries.ts';
import { formatCountdown, formatElapsed, formatDuration } from '../../../../server/dashboard/page/format.ts';
import type { WebhookAttempt, WebhookDelivery } from '../../../../server/dashboard/view.ts';
import { madeAction, madeTerminal } from './fixtures.ts';

test('parseHash: reads the hash of every route, and says of any other that it is unknown', () => {
  const routes: Route[] = [
    { view: 'fleet' },
    { view: 'start' },
    { view: 'terminal', id: 'tml_1' },
    { view: 'terminal', id: 'tml_1', actionId: 'tmlact_1' },
    { view: 'actions', id: 'tml_1' },
    { view: 'webhooks' },
    { view: 'objects' },
    { view: 'objects', id: 'ps_1' },
  ];
  for (const route of routes) expect(parseHash(hrefOf(route))).toEqual(route);
  for (const hash of ['', '#', '#token=dash_1', '#view']) expect(parseHash(hash)).toEqual({ view: 'fleet' });
  for (const path of ['nowhere', 'terminals', 'terminals/%', 'start/1', 'objects/ps_1/2'])
    expect(parseHash(`#/${path}`)).toEqual({ view: 'unknown', path });
});

test('secretInHash: reads a token or a code from a dashboard link only', () => {
  expect(secretInHash('#token=dash_a-B_9')).toEqual({ token: 'dash_a-B_9' });
  expect(secretInHash('#code=a-B_9')).toEqual({ code: 'a-B_9' });
  for (const hash of ['', '#/', '#/terminals/tml_1', '#token=', '#token=a/b', '#x=1&token=a'])
    expect(secretInHash(hash)).toBe(undefined);
});

test('fleet filter: filters by group and by words in any order', () => {
  const failed = madeTerminal({ action: madeAction({ status: 'Failed', errorCode: 'insufficient_funds' }) });
  expect(groupOf(failed)).toBe('failed');
  expect(groupOf(madeTerminal({ online: false, action: madeAction() }))).toBe('offline');
  expect(groupOf(madeTerminal())).toBe(undefined);
  expect(matchesFilter(failed, 'all', 'funds till')).toBe(true);
  expect(matchesFilter(failed, 'all', 'funds bar')).toBe(false);
  expect(matchesFilter(failed, 'active', '')).toBe(false);
});

test('splitName: keeps the number at the end of a name apart, so that it is never clipped', () => {
  expect(splitName('Simulated terminal 0042')).toEqual(['Simulated terminal ', '0042']);
  expect(splitName('Bar 2 north')).toEqual(['Bar 2 north', '']);
  expect(splitName('20261123000042')).toEqual(['20261123', '000042']);
});

test('nextCell: arrow keys move in a grid and stop at its edges', () => {
  const grid = { count: 8, columns: 3 };
  const walk = (from: number, ...keys: string[]) => keys.reduce((at, key) => nextCell(key, at, grid), from);
  expect(walk(0, 'ArrowDown', 'ArrowRight', 'ArrowUp')).toBe(1);
  expect(walk(0, 'ArrowLeft', 'ArrowUp')).toBe(0);
  expect(walk(6, 'ArrowDown')).toBe(6);
  expect(walk(3, 'End')).toBe(7);
  expect(walk(3, 'Home')).toBe(0);
  expect(walk(3, 'x')).toBe(3);
});

test('kindOf: returns the kind of object by the prefix of its id', () => {
  expect(['ps_1', 'sub_1', 'dsp_1', 'po_1', 'tml_1'].map((id) => kindOf(id)?.name)).toEqual([
    'Payment session',
    'Subscription',
    'Dispute',
    'Payout',
    undefined,
  ]);
});

test('formatCountdown, formatDuration, formatElapsed: show the two largest units', () => {
  expect([0, 400, 75_000, 3_725_000, 93_600_000, -5].map(formatCountdown)).toEqual([
    '0:00',
    '0:01',
    '1:15',
    '1:02:05',
    '1 d 2 h',
    '0:00',
  ]);
  expect([0, 45_000, 86_400_000, 612_000_000].map(formatDuration)).toEqual(['0 s', '45 s', '1 d', '7 d 2 h']);
  expect([0, 412, 62_412, 3_599_999].map(formatElapsed)).toEqual([
    '+0.000',
    '+0.412',
    '+1:02.412',
    '+59:59.999',
  ]);
  const day = 86_400_000;
  expect([3_600_000, 96 * day + 1_472, 366 * day + 3_600_000].map(formatElapsed)).toEqual([
    '+1 h',
    '+96 d',
    '+366 d 1 h',
  ]);
});

const attempt = (with_: Partial<WebhookAttempt>): WebhookAttempt => ({
  eventId: 'ev_1',
  webhookId: 'wh_1',
  eventType: 'PaymentSession.captured',
  endpointUrl: 'https://shop.example',
  attempt: 1,
  atMs: 10,
  answer: '503',
  acknowledged: false,
  nextMs: 60,
  ...with_,
});

const delivery = (with_: Partial<WebhookDelivery>): WebhookDelivery => ({
  eventId: 'ev_1',
  eventType: 'PaymentSession.captured',
  objectId: 'ps_1',
  endpointUrl: 'https://shop.example',
  state: 'Pending',
  attemptCount: 0,
  lastAnswer: null,
  createdMs: 5,
  attempts: [],
  ...with_,
});

test('deliveriesOf: a delivery has the state of its last attempt, however often that is sent', () => {
  const listed = [delivery({ attemptCount: 1, attempts: [attempt({})] })];
  const second = attempt({ attempt: 2, atMs: 60, nextMs: 120 });
  const [retrying] = deliveriesOf(listed, [attempt({}), second]);
  expect(retrying).toMatchObject({ status: 'retrying', attemptCount: 2, nextMs: 120, objectId: 'ps_1' });
  expect(retrying!.attempts.map(({ attempt: number }) => number)).toEqual([1, 2]);
  const third = attempt({ attempt: 3, atMs: 120, acknowledged: true, answer: '200', nextMs: null });
  expect(deliveriesOf(listed, [second, third])[0]).toMatchObject({ status: 'delivered', nextMs: null });
  expect(deliveriesOf([], [attempt({ nextMs: null })])[0]).toMatchObject({ status: 'failed' });
});

test('deliveriesOf: deliveries from before this page are as the server listed them, latest first', () => {
  const listed = [
    delivery({ eventId: 'ev_1', state: 'Failed', attemptCount: 7, lastAnswer: '500' }),
    delivery({ eventId: 'ev_2', state: 'Pending', createdMs: 9 }),
  ];
  const seen = deliveriesOf(listed, [attempt({ eventId: 'ev_3' })]);
  expect(seen.map(({ eventId, status }) => [eventId, status])).toEqual([
    ['ev_3', 'retrying'],
    ['ev_2', 'pending'],
    ['ev_1', 'failed'],
  ]);
});

test('nextDue: returns the earliest deadline or retry in the future', () => {
  const acting = madeTerminal({ action: madeAction({ deadlineMs: 90 }) });
  const over = madeTerminal({ action: madeAction({ status: 'Failed', deadlineMs: 55 }) });
  expect(nextDue(50, [acting, over], [{ nextMs: 60 }, { nextMs: null }])).toEqual({
    what: 'webhook retry',
    atMs: 60,
  });
  expect(nextDue(60, [acting, over], [{ nextMs: 60 }])).toEqual({ what: 'deadline of Till 1', atMs: 90 });
  expect(nextDue(95, [acting], [])).toBe(undefined);
  expect([secondsUntil(1_001, 0), secondsUntil(0, 0)]).toEqual([2, 1]);
});

test('hexRows: shows bytes in rows of sixteen, and masked ones stay masked', () => {
  const rows = hexRows(`${'41'.repeat(16)}··00`);
  expect(rows).toEqual([
    { offset: '0000', bytes: Array.from({ length: 16 }, () => '41'), text: 'A'.repeat(16) },
    { offset: '0010', bytes: ['··', '00'], text: '·.' },
  ]);
});

test('jsonTokens: splits JSON into coloured tokens without losing text', () => {
  const value = { name: 'a "quoted" text', count: -1.5, ok: true, nothing: null, list: ['1'] };
  const tokens = jsonTokens(value);
  expect(tokens.map(({ text }) => text).join('')).toBe(JSON.stringify(value, null, 2));
  const of = (kind: string) => tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  expect(of('key')).toEqual(['"name"', '"count"', '"ok"', '"nothing"', '"list"']);
  expect(of('text')).toEqual(['"a \\"quoted\\" text"', '"1"']);
  expect(of('number')).toEqual(['-1.5']);
  expect(of('word')).toEqual(['true', 'null']);
});
