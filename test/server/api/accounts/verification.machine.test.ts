import { expect, test } from 'vitest';
import {
  statusOfPhase,
  verificationStep,
  type VerificationFact,
  type VerificationPhase,
} from '../../../../server/api/accounts/verification.machine.ts';

const FACTS: Record<string, VerificationFact> = {
  demanded: { type: 'verification.demanded' },
  released: { type: 'verification.released' },
  lacking: { type: 'details.lacking' },
  supplied: { type: 'details.supplied', unchecked: false },
  unchecked: { type: 'details.supplied', unchecked: true },
  passed: { type: 'check.passed' },
  refused: { type: 'check.refused' },
  waived: { type: 'check.waived' },
};

/** Where every fact leads from every phase, and what is asked of the scheduler; what is not named changes nothing. */
const STEPS: Record<VerificationPhase, Record<string, string>> = {
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

const PHASES = Object.keys(STEPS) as VerificationPhase[];

function stepped(phase: VerificationPhase, fact: VerificationFact, waived = false): string {
  const { phase: next, effects } = verificationStep({ phase, waived }, fact);
  return [next, ...effects].join(' ');
}

test.each(PHASES)('verification machine: takes every event from %s', (phase) => {
  const steps = Object.entries(FACTS).map(([name, fact]) => [name, stepped(phase, fact)]);
  const expected = Object.keys(FACTS).map((name) => [name, STEPS[phase][name] ?? phase]);
  expect(steps).toEqual(expected);
});

test('verification machine: a waived verification stays verified, whatever is missing, until it is refused', () => {
  const steps = Object.entries(FACTS).map(([name, fact]) => [name, stepped('verified', fact, true)]);
  expect(Object.fromEntries(steps)).toEqual({
    ...Object.fromEntries(Object.keys(FACTS).map((name) => [name, 'verified'])),
    refused: 'required',
  });
  expect(verificationStep({ phase: 'verified', waived: true }, FACTS['refused']!).waived).toBe(false);
});

test('verification machine: keeps that verification was waived', () => {
  for (const phase of PHASES) {
    expect(verificationStep({ phase, waived: false }, FACTS['waived']!).waived).toBe(true);
    expect(verificationStep({ phase, waived: false }, FACTS['passed']!).waived).toBe(false);
  }
});

test('verification machine: every state has a status of the API', () => {
  expect(PHASES.map(statusOfPhase)).toEqual(['NotRequired', 'Required', 'PendingVerification', 'Verified']);
});
