import type { Queries } from '../../platform/store/store.ts';
import type { Services } from '../../platform/services.ts';

/** A payment whose cardholder is authenticated, as the issuer's page shows it. */
export interface ChallengedPayment {
  id: string;
  /** The authentication that the payment waits for; null when it waits for none. */
  awaitedRunId: string | null;
  /** The shop's name on the cardholder's statement. */
  shop: string;
  amountMinor: number;
  currency: string;
  card: { scheme: string; last4: string } | undefined;
  returnUrl: string;
}

/** What the issuer's page needs of payments. The area of payments implements it. */
export interface ChallengedPayments {
  find(queries: Queries, sessionId: string): Promise<ChallengedPayment | undefined>;
  /** Continues a payment with the challenge result (a `CRes`). Does nothing when it no longer waits for one. */
  continue(sessionId: string, challengeResult: string): Promise<void>;
}

/** What the issuer's page needs: the services of the platform, and the port. */
export interface ChallengeServices extends Services {
  challengedPayments: ChallengedPayments;
}
