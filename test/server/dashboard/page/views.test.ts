import { expect, test } from 'vitest';
import { nextDue, secondsUntil } from '../../../../server/dashboard/page/clock/clock-menu.tsx';
import { matchesFilter, groupOf } from '../../../../server/dashboard/page/fleet/fleet-list.ts';
import { splitName } from '../../../../server/dashboard/page/fleet/tile.tsx';
import { nextCell } from '../../../../server/dashboard/page/fleet/tile-grid.ts';
import { secretInHash } from '../../../../server/dashboard/page/link/session.ts';
import { objectListQuery } from '../../../../server/dashboard/page/list-filters.ts';
import { hrefOf, parseHash, type Route } from '../../../../server/dashboard/page/route.ts';
import { hexRows } from '../../../../server/dashboard/page/timeline/entry-detail.tsx';
import { jsonTokens } from '../../../../server/dashboard/page/parts/sent-content.tsx';
import { afterAttempts, moved } from '../../../../server/dashboard/page/webhooks/delivery-row.tsx';
import { formatCountdown, formatElapsed, formatDuration } from '../../../../server/dashboard/page/format.ts';
import type { DeliverySummary, WebhookAttempt } from '../../../../server/dashboard/view.ts';
import { madeAction, madeTerminal } from './fixtures.ts';

test('parseHash: reads the hash of every route, and says of any other that it is unknown', () => {
  const routes: Route[] = [
    { view: 'fleet' },
    { view: 'start' },
    { view: 'terminal', id: 'tml_1' },
    { view: 'terminal', id: 'tml_1', actionId: 'tmlact_1' },
    { view: 'actions', id: 'tml_1' },
    { view: 'webhooks', filters: {} },
    { view: 'objects', filters: {} },
    { view: 'faults' },
    { view: 'faults', id: 'plan_1' },
    { view: 'objects', id: 'ps_1', filters: {} },
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

test('objectListQuery: lists payment sessions unless the address names another type that exists', () => {
  expect(objectListQuery({})).toBe('type=paymentSession');
  expect(objectListQuery({ type: 'toString', status: 'Captured' })).toBe(
    'type=paymentSession&status=Captured',
  );
  expect(objectListQuery({ type: 'payout', panel: 'machine' })).toBe('type=payout');
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

const delivery = (with_: Partial<DeliverySummary>): DeliverySummary => ({
  id: 'ev_1.wh_1',
  eventId: 'ev_1',
  eventType: 'PaymentSession.captured',
  objectId: 'ps_1',
  accountId: 'ac_1',
  webhookId: 'wh_1',
  url: 'https://shop.example',
  status: 'Pending',
  attempts: 0,
  lastResult: null,
  createdTimestamp: 5,
  lastAttemptTimestamp: null,
  nextAttemptTimestamp: null,
  ...with_,
});

test('afterAttempts: a delivery has the state of the attempts since it was listed', () => {
  const listed = [delivery({}), delivery({ id: 'ev_2.wh_1', eventId: 'ev_2' })];
  const first = attempt({ atMs: 9_900, nextMs: 60_100 });
  const [retrying, other] = afterAttempts(listed, [first]);
  expect(retrying).toMatchObject({
    status: 'Retrying',
    attempts: 1,
    lastResult: '503',
    lastAttemptTimestamp: 9,
    nextAttemptTimestamp: 61,
  });
  expect(other).toBe(listed[1]);
  const second = attempt({ attempt: 2, acknowledged: true, answer: '200', nextMs: null });
  const [delivered] = afterAttempts(listed, [first, second]);
  expect(delivered).toMatchObject({ status: 'Delivered', attempts: 2, nextAttemptTimestamp: null });
  expect(afterAttempts([delivered!], [first, second])).toEqual([delivered]);
});

test('afterAttempts: an attempt that is followed by none fails, unless the delivery had succeeded before', () => {
  const last = attempt({ attempt: 7, nextMs: null });
  expect(afterAttempts([delivery({ status: 'Retrying' })], [last])).toMatchObject([{ status: 'Failed' }]);
  expect(afterAttempts([delivery({ status: 'Delivered' })], [last])).toMatchObject([
    { status: 'Delivered', lastResult: '503' },
  ]);
});

test('moved: moves an item, no further than to an end', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
});

test.each([
  ['#/webhooks', { view: 'webhooks', filters: {} }],
  [
    '#/webhooks/ev_1.wh_1?status=Failed&reply=5xx',
    { view: 'webhooks', id: 'ev_1.wh_1', filters: { status: 'Failed', reply: '5xx' } },
  ],
] as const)('route: %s names the deliveries that are shown, and the one that is open', (hash, route) => {
  expect(parseHash(hash)).toEqual(route);
  expect(hrefOf(route)).toBe(hash);
});

test('nextDue: returns the earliest deadline or retry in the future', () => {
  const acting = madeTerminal({ action: madeAction({ deadlineMs: 90_000 }) });
  const over = madeTerminal({ action: madeAction({ status: 'Failed', deadlineMs: 55_000 }) });
  const endpoint = (nextAttemptTimestamp: number | null) => ({ health: { nextAttemptTimestamp } });
  expect(nextDue(50_000, [acting, over], [endpoint(60), endpoint(null)])).toEqual({
    what: 'webhook retry',
    atMs: 60_000,
  });
  expect(nextDue(60_000, [acting, over], [endpoint(60)])).toEqual({
    what: 'deadline of Till 1',
    atMs: 90_000,
  });
  expect(nextDue(95_000, [acting], [])).toBe(undefined);
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
