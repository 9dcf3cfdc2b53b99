import { PAYMENT, SESSION } from './payment-paths.ts';
import type { RequestStep, Step, TriggerPath } from './trigger-path.ts';

const DISPUTE: RequestStep = {
  name: 'dispute',
  request: 'POST /sandbox/payment-sessions/{session.id}/disputes',
  body: {},
};
const EVIDENCE: RequestStep = {
  name: 'evidence',
  request: 'PATCH /v1/disputes/{dispute.id}/evidence',
  body: { text: { uncategorised: 'The customer collected the goods in the shop.' } },
};
const CHALLENGE: RequestStep = { name: 'challenge', request: 'POST /v1/disputes/{dispute.id}/challenge' };
const OUTCOME: RequestStep = {
  name: 'outcome',
  request: 'POST /sandbox/disputes/{dispute.id}/outcome',
  body: { status: 'Won' },
};

const path = (...steps: Step[]): TriggerPath => ({
  main: 'dispute',
  steps: [SESSION, PAYMENT, DISPUTE, ...steps],
});

/** How each event of a dispute comes about. */
export const DISPUTE_PATHS = {
  'Dispute.created': path(),
  'Dispute.challenged': path(EVIDENCE, CHALLENGE),
  'Dispute.closed': path(EVIDENCE, CHALLENGE, OUTCOME),
} as const satisfies Record<string, TriggerPath>;
