import type { Currency } from '../../../protocol/money.ts';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { refuseAmount, refuseCurrency, refusePlatformFee, refuseSplits } from './amount.rules.ts';
import { sessionStep } from './payment-session.machine.ts';
import { sessionStateOf, type PaymentSessionRow } from './payment-session-row.ts';
import type { PaymentSession } from './payment-session.schema.ts';
import type { SplitRequest } from './split.schema.ts';

/** Terms of a session that the rules check: of a new session, or of a session after an update. */
export interface SessionTerms {
  amountMinor: number;
  currency: Currency;
  captureFlow: PaymentSession['captureFlow'];
  entryMode: PaymentSession['entryMode'];
  authorizationType: PaymentSession['authorizationType'];
  verifyAccount: boolean;
  platformFeeMinor: number | undefined;
  splits: SplitRequest['items'];
  passThroughProcessingFee: boolean;
}

interface TermsContext {
  caller: { accountId: string; platformId: string };
  settings: AccountSettings;
}

/** @throws Refusal for terms that the account or the specification does not allow (Spec §2.2). */
export function refuseTerms(terms: SessionTerms, { caller, settings }: TermsContext): void {
  const { amountMinor, currency, platformFeeMinor } = terms;
  if (terms.verifyAccount) {
    refuseCurrency(currency, settings.currencies);
    refuseVerification(terms);
  } else {
    refuseAmount(amountMinor, currency, settings.currencies, 'amount');
  }
  refusePlatformFee(platformFeeMinor, amountMinor, caller, 'platformFee');
  refuseSplits({
    items: terms.splits,
    amountMinor,
    platformFeeMinor,
    passThroughProcessingFee: terms.passThroughProcessingFee,
    caller,
  });
  if (terms.entryMode === 'MOTO' && !settings.motoAllowed) throw new Refusal('moto_not_allowed');
  if (terms.authorizationType === 'PreAuth' && !settings.preAuthAllowed)
    throw new Refusal('preauth_not_allowed');
}

/** A verification checks a card and moves no money (Spec §2.2, rule 2). */
function refuseVerification(terms: SessionTerms): void {
  const problem = verificationProblem(terms);
  if (problem) throw new Refusal('verification_terms', { problem });
}

function verificationProblem(terms: SessionTerms): string | undefined {
  if (terms.amountMinor !== 0) return 'must have the amount 0';
  if (terms.captureFlow === 'Automatic') return 'cannot be captured automatically';
  if (terms.platformFeeMinor !== undefined) return 'has no platformFee';
  if (terms.splits.length > 0) return 'has no splits';
  return undefined;
}

// Schemes that make a browser run a script or read a file instead of opening a page.
const UNSAFE_SCHEMES = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
]);

/** A return URL is https, or has the custom scheme of an app (Spec §2.2, returnUrl). */
export function refuseReturnUrl(returnUrl: string | undefined): void {
  if (returnUrl === undefined) return;
  const problem = returnUrlProblem(returnUrl);
  if (problem) throw new Refusal('return_url', { problem });
}

function returnUrlProblem(returnUrl: string): string | undefined {
  if (!URL.canParse(returnUrl) || /\s/.test(returnUrl)) return 'must be an absolute URL';
  const { protocol } = new URL(returnUrl);
  if (protocol === 'http:' || UNSAFE_SCHEMES.has(protocol))
    return 'must begin with https://, or with the scheme of an app';
  return undefined;
}

/** A session can be updated and paid until it is approved or expires (Spec §3). */
export function refuseNotOpen(session: PaymentSessionRow, nowMs: number): void {
  const state = sessionStateOf(session, nowMs);
  if (state.phase === 'expired') throw new Refusal('session_expired');
  if (!sessionStep(state, { type: 'payment.approved' })) throw new Refusal('session_final');
}

/** An in-person session is paid at its terminal; a shop can update only its metadata (docs/choices.md). */
export function refuseInPersonUpdate(session: PaymentSessionRow, members: readonly string[]): void {
  if (session.entry_mode !== 'InPerson') return;
  if (members.some((name) => name !== 'metadata')) throw new Refusal('in_person_update');
}

/** @throws Refusal `email_set` for another address than the one that is set (docs/choices.md, Payment sessions). */
export function refuseEmailChange(
  { customer_email: set }: Pick<PaymentSessionRow, 'customer_email'>,
  given: string | undefined,
): void {
  if (set !== null && given !== undefined && given !== set) throw new Refusal('email_set');
}

export function refuseInPersonAttempt(session: PaymentSessionRow): void {
  if (session.entry_mode === 'InPerson') throw new Refusal('in_person_attempt');
}

/**
 * @throws Refusal when the previous payment belongs to no series, or has another currency or customer (Spec §2.2,
 * rule 1).
 */
export function refuseSeries(
  earlier: PaymentSessionRow,
  later: { currency: string; paymentType: PaymentSession['paymentType']; customerId: string | undefined },
): void {
  const single = earlier.payment_type === 'Standard' || later.paymentType === 'Standard';
  if (single) throw new Refusal('series_mismatch', { what: 'paymentType' });
  if (earlier.currency !== later.currency) throw new Refusal('series_mismatch', { what: 'currency' });
  const { customerId } = later;
  if (customerId !== undefined && earlier.customer_id !== null && customerId !== earlier.customer_id)
    throw new Refusal('series_mismatch', { what: 'customer' });
}
