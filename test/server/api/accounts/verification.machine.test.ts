import { expect, test } from 'vitest';
import {
  statusOfVerification,
  verificationStep,
  type VerificationEvent,
  type VerificationState,
} from '../../../../server/api/accounts/verification.machine.ts';

const EVENTS: Record<string, VerificationEvent> = {
  added: { type: 'requirement.added' },
  removed: { type: 'requirement.removed' },
  missing: { type: 'details.missing' },
  completed: { type: 'details.completed', unchecked: false },
  unchecked: { type: 'details.completed', unchecked: true },
  passed: { type: 'check.passed' },
  failed: { type: 'check.failed' },
  waived: { type: 'check.waived' },
};

/** Where every event leads from every phase, and what is asked of the scheduler; what is not named changes nothing. */
const STEPS: Record<VerificationState, Record<string, string>> = {
  notRequired: { added: 'required', failed: 'required', waived: 'verified' },
  required: {
    removed: 'notRequired',
    completed: 'pendingVerification submit',
    unchecked: 'pendingVerification submit',
    waived: 'verified',
  },
  pendingVerification: {
    removed: 'notRequired withdraw',
    missing: 'required withdraw',
    passed: 'verified withdraw',
    failed: 'required withdraw',
    waived: 'verified withdraw',
  },
  verified: { missing: 'required', unchecked: 'pendingVerification submit', failed: 'required' },
};

const PHASES = Object.keys(STEPS) as VerificationState[];

function stepped(phase: VerificationState, event: VerificationEvent, waived = false): string {
  const { state = phase, effects = [] } = verificationStep({ phase, waived }, event) ?? {};
  return [state, ...effects.map(({ type }) => type)].join(' ');
}

test.each(PHASES)('verification machine: takes every event from %s', (phase) => {
  const steps = Object.entries(EVENTS).map(([name, event]) => [name, stepped(phase, event)]);
  const expected = Object.keys(EVENTS).map((name) => [name, STEPS[phase][name] ?? phase]);
  expect(steps).toEqual(expected);
});

test('verification machine: a waived verification stays verified, whatever is missing, until a check fails', () => {
  const steps = Object.entries(EVENTS).map(([name, event]) => [name, stepped('verified', event, true)]);
  expect(Object.fromEntries(steps)).toEqual({
    ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, 'verified'])),
    failed: 'required',
  });
  expect(verificationStep({ phase: 'verified', waived: true }, EVENTS['failed']!)!.context.waived).toBe(
    false,
  );
});

test('verification machine: keeps that verification was waived', () => {
  for (const phase of PHASES) {
    expect(verificationStep({ phase, waived: false }, EVENTS['waived']!)!.context.waived).toBe(true);
  }
});

test('verification machine: every state has a status of the API', () => {
  expect(PHASES.map(statusOfVerification)).toEqual([
    'NotRequired',
    'Required',
    'PendingVerification',
    'Verified',
  ]);
});
