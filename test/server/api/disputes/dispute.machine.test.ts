import { expect, test } from 'vitest';
import { disputeStep, type DisputeEvent } from '../../../../server/api/disputes/dispute.machine.ts';
import type { Dispute } from '../../../../server/api/disputes/dispute.schema.ts';

const EVENTS: DisputeEvent['type'][] = [
  'dispute.accepted',
  'dispute.challenged',
  'dispute.won',
  'dispute.lost',
  'dispute.withdrawn',
  'deadline.passed',
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
  expect(effects('Challenged', 'dispute.won')).toEqual(['reinstateFunds']);
  expect(effects('Challenged', 'dispute.withdrawn')).toEqual(['reinstateFunds']);
  expect(effects('Open', 'dispute.withdrawn')).toEqual(['reinstateFunds']);
  expect(effects('Challenged', 'dispute.lost')).toEqual([]);
  expect(effects('Open', 'dispute.accepted')).toEqual([]);
  expect(effects('Open', 'deadline.passed')).toEqual([]);
  expect(effects('Open', 'dispute.challenged')).toEqual(['scheduleDecision']);
});
