import { expect, test } from 'vitest';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import type { SubscriptionRow } from '../../../../server/api/subscriptions/subscription.records.ts';
import {
  refuseEnded,
  refusePastResume,
  refusePastStart,
  refuseTooFewCycles,
} from '../../../../server/api/subscriptions/subscription.rules.ts';

/** The name of the refusal that a rule gives; nothing when it lets pass. */
function refusalOf(rule: () => void): string | undefined {
  try {
    rule();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.refusal;
    throw thrown;
  }
}

const NOW_MS = 1_760_000_000_400;

test.each([
  ['none', undefined, undefined],
  ['the second that is under way', 1_760_000_000, undefined],
  ['the one before', 1_759_999_999, 'in_past'],
  ['one ahead', 1_760_000_001, undefined],
])('subscription rules: startTimestamp: %s', (_what, startTimestamp, refusal) => {
  expect(refusalOf(() => refusePastStart(startTimestamp, NOW_MS))).toBe(refusal);
});

test.each([
  ['none', undefined, undefined],
  ['the second that is under way', 1_760_000_000, 'not_in_future'],
  ['one ahead', 1_760_000_001, undefined],
])('subscription rules: resumeTimestamp: %s', (_what, resumeTimestamp, refusal) => {
  expect(refusalOf(() => refusePastResume(resumeTimestamp, NOW_MS))).toBe(refusal);
});

test.each([
  ['Pending', undefined],
  ['Active', undefined],
  ['PastDue', undefined],
  ['Paused', undefined],
  ['Cancelled', 'subscription_over'],
  ['Ended', 'subscription_over'],
] as const)(
  'subscription rules: an update of a subscription that is %s',
  { tags: ['spec:3/no-update-after-end'] },
  (status, refusal) => {
    expect(refusalOf(() => refuseEnded({ status } as SubscriptionRow))).toBe(refusal);
  },
);

test.each([
  ['without end', undefined, undefined],
  ['fewer cycles than have begun', 2, 'too_few_cycles'],
  ['as many as have begun', 3, 'too_few_cycles'],
  ['one more', 4, undefined],
  ['as many as ever', 3, undefined, 3],
] as const)('subscription rules: an end after %s', (_what, times, refusal, before?: number) => {
  const row = { cycle: 3, interval_times: before ?? null } as SubscriptionRow;
  expect(refusalOf(() => refuseTooFewCycles(row, times))).toBe(refusal);
});
