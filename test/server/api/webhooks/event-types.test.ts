import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES, isStoredOnPlatform } from '../../../../server/api/webhooks/event-types.ts';

test('event types: each is named for its object and what happened', { tags: ['spec:6/event-names'] }, () => {
  expect(EVENT_TYPE_NAMES.length).toBeGreaterThanOrEqual(40);
  expect(EVENT_TYPE_NAMES.filter((name) => !/^[A-Z][A-Za-z]+\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
});

test('event types: account events are stored on the platform, all others where they occur', () => {
  expect(EVENT_TYPE_NAMES.filter(isStoredOnPlatform)).toEqual([
    'Account.created',
    'Account.updated',
    'Account.verification_status_updated',
  ]);
});
