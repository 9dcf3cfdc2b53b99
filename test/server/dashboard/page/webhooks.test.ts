import { expect, test } from 'vitest';
import { afterAttempts, moved } from '../../../../server/dashboard/page/webhooks/delivery-row.tsx';
import type { DeliverySummary, WebhookAttempt } from '../../../../server/dashboard/view.ts';

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
