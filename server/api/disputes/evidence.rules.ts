import { Refusal } from '../../platform/http/refusals.ts';
import type {
  Dispute,
  DisputeCategory,
  Evidence,
  EvidenceRemoval,
  RecommendedEvidence,
} from './dispute.schema.ts';

/** The recommended evidence for each category of dispute (docs/choices.md, Disputes). */
export const RECOMMENDED: Record<DisputeCategory, RecommendedEvidence[]> = {
  Fraudulent: ['BillingAddress', 'ShippingAddress', 'ProofOfDelivery', 'CustomerSignature', 'Receipt'],
  Authorization: ['Receipt', 'CustomerSignature', 'RecurringPaymentAgreement'],
  ProcessingError: ['DuplicateTransaction', 'Receipt', 'Uncategorised'],
  CardholderDispute: [
    'ProofOfDelivery',
    'ShippingConfirmation',
    'CustomerCommunication',
    'RefundPolicy',
    'CancellationPolicy',
  ],
  General: ['CustomerCommunication', 'Receipt', 'Uncategorised'],
};

/** The default reason of the issuer for each category, unless a sandbox control sets another one. */
export const REASONS: Record<DisputeCategory, Dispute['reason']> = {
  Fraudulent: { code: '10.4', description: 'Other fraud: card-absent environment' },
  Authorization: { code: '11.3', description: 'No authorisation' },
  ProcessingError: { code: '12.6', description: 'Duplicate processing' },
  CardholderDispute: { code: '13.1', description: 'Merchandise or services not received' },
  General: { code: '13.6', description: 'Credit not processed' },
};

/** Evidence may be changed while the dispute is Open (Spec §4.9). */
export function refuseUnlessOpen({ status }: { status: Dispute['status'] }): void {
  if (status !== 'Open') throw new Refusal('dispute_state', { status });
}

/** Returns evidence merged with the given evidence. */
export function mergeEvidence(before: Evidence, given: Evidence): Evidence {
  return omitEmpty({
    text: { ...before.text, ...given.text },
    files: { ...before.files, ...given.files },
  });
}

/** Returns evidence without the named texts and files. */
export function removeEvidence(before: Evidence, removal: EvidenceRemoval): Evidence {
  return omitEmpty({ text: without(before.text, removal.text), files: without(before.files, removal.files) });
}

function without<T extends object>(from: T | undefined, names: readonly string[] | undefined): T {
  const remaining = Object.entries(from ?? {}).filter(([name]) => !names?.includes(name));
  return Object.fromEntries(remaining) as T;
}

function omitEmpty({ text, files }: Required<Evidence>): Evidence {
  return {
    ...(Object.keys(text ?? {}).length > 0 && { text }),
    ...(Object.keys(files ?? {}).length > 0 && { files }),
  };
}

export function isEmpty(evidence: Evidence): boolean {
  return evidence.text === undefined && evidence.files === undefined;
}

/** A text in the evidence that makes the account lose, for tests (docs/choices.md, Disputes). */
const LOSING_TEXT = 'losing_evidence';

/** Returns whether the account wins by default, when no sandbox control decides. */
export function winsByDefault(evidence: Evidence): boolean {
  return !Object.values(evidence.text ?? {}).some((text) => text?.includes(LOSING_TEXT));
}
