import { expect, test } from 'vitest';
import { disputeStep, type DisputeEvent } from '../../../../server/api/disputes/dispute.machine.ts';
import type { Dispute } from '../../../../server/api/disputes/dispute.schema.ts';

const EVENTS: DisputeEvent['type'][] = [
  'dispute.accepted',
  'dispute.challenged',
  'scheme.decidedFor',
  'scheme.decidedAgainst',
  'cardholder.withdrew',
  'time.passed',
];
const STATUSES: Dispute['status'][] = [
  'Open',
  'Challenged',
  'Accepted',
  'Won',
  'Lost',
  'Expired',
  'Cancelled',
];

test('dispute machine: takes the listed transitions', () => {
  const table = STATUSES.map((status) => [
    status,
    EVENTS.map((type) => disputeStep(status, { type })?.status ?? '-'),
  ]);
  expect(table).toEqual([
    ['Open', ['Accepted', 'Challenged', '-', '-', 'Cancelled', 'Expired']],
    ['Challenged', ['-', '-', 'Won', 'Lost', 'Cancelled', '-']],
    ...['Accepted', 'Won', 'Lost', 'Expired', 'Cancelled'].map((status) => [status, EVENTS.map(() => '-')]),
  ]);
});

test('dispute machine: returns the money only when won or withdrawn', () => {
  const effects = (status: Dispute['status'], type: DisputeEvent['type']) =>
    disputeStep(status, { type })!.effects.map((effect) => effect.type);
  expect(effects('Challenged', 'scheme.decidedFor')).toEqual(['giveBack']);
  expect(effects('Challenged', 'cardholder.withdrew')).toEqual(['giveBack']);
  expect(effects('Open', 'cardholder.withdrew')).toEqual(['giveBack']);
  expect(effects('Challenged', 'scheme.decidedAgainst')).toEqual([]);
  expect(effects('Open', 'dispute.accepted')).toEqual([]);
  expect(effects('Open', 'time.passed')).toEqual([]);
  expect(effects('Open', 'dispute.challenged')).toEqual(['awaitDecision']);
});
