import { expect, test } from 'vitest';
import {
  statusOfVerification,
  verificationStep,
  type VerificationEvent,
  type VerificationState,
} from '../../../../server/api/accounts/verification.machine.ts';

const EVENTS: Record<string, VerificationEvent> = {
  demanded: { type: 'verification.demanded' },
  released: { type: 'verification.released' },
  lacking: { type: 'details.lacking' },
  supplied: { type: 'details.supplied', unchecked: false },
  unchecked: { type: 'details.supplied', unchecked: true },
  passed: { type: 'check.passed' },
  refused: { type: 'check.refused' },
  waived: { type: 'check.waived' },
};

/** Where every event leads from every phase, and what is asked of the scheduler; what is not named changes nothing. */
const STEPS: Record<VerificationState, Record<string, string>> = {
  notRequired: { demanded: 'required', refused: 'required', waived: 'verified' },
  required: {
    released: 'notRequired',
    supplied: 'pendingVerification submit',
    unchecked: 'pendingVerification submit',
    waived: 'verified',
  },
  pendingVerification: {
    released: 'notRequired withdraw',
    lacking: 'required withdraw',
    passed: 'verified withdraw',
    refused: 'required withdraw',
    waived: 'verified withdraw',
  },
  verified: { lacking: 'required', unchecked: 'pendingVerification submit', refused: 'required' },
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

test('verification machine: a waived verification stays verified, whatever is missing, until it is refused', () => {
  const steps = Object.entries(EVENTS).map(([name, event]) => [name, stepped('verified', event, true)]);
  expect(Object.fromEntries(steps)).toEqual({
    ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, 'verified'])),
    refused: 'required',
  });
  expect(verificationStep({ phase: 'verified', waived: true }, EVENTS['refused']!)!.context.waived).toBe(
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
