import { expect, test } from 'vitest';
import { fillReferences } from '../../../cli/trigger/trigger-event.ts';

const REPLIES = { session: { id: 'ps_1', amount: 5, items: [{ id: 'it_1' }] }, unique: 'abc' };

test('references: a text that is one reference becomes the member, of its type', () => {
  expect(fillReferences({ amount: '{session.amount}', unique: '{unique}' }, REPLIES)).toEqual({
    amount: 5,
    unique: 'abc',
  });
});

test('references: within other text the member is written out', () => {
  expect(
    fillReferences(['/v1/{session.id}/{session.items.0.id}', '{session.amount} of it'], REPLIES),
  ).toEqual(['/v1/ps_1/it_1', '5 of it']);
});

test('references: other values stay, and the value itself does not change', () => {
  const value = { on: true, none: null, text: 'plain {', nested: { id: '{session.id}' } };
  expect(fillReferences(value, REPLIES)).toEqual({ ...value, nested: { id: 'ps_1' } });
  expect(value.nested.id).toBe('{session.id}');
});

test('references: one to a reply that is not there throws', () => {
  expect(() => fillReferences('{payout.id}', REPLIES)).toThrow(TypeError);
});
