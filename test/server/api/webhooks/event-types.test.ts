import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES, isStoredOnPlatform } from '../../../../server/api/webhooks/event-types.ts';

test(
  'there are forty event types, each named for its object and what happened to it',
  { tags: ['spec:6/event-names'] },
  () => {
    expect(EVENT_TYPE_NAMES).toHaveLength(40);
    expect(EVENT_TYPE_NAMES.filter((name) => !/^[A-Z][A-Za-z]+\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  },
);

test('what happens to an account is stored on its platform, all else where it happened', () => {
  expect(EVENT_TYPE_NAMES.filter(isStoredOnPlatform)).toEqual([
    'Account.created',
    'Account.updated',
    'Account.verification_status_updated',
  ]);
});
