import { findAccount } from '../accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { constantTimeEqual } from '../../platform/constant-time-equal.ts';
import type { Queries } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { paymentSessions } from './payment-session.records.ts';

/**
 * Finds the session of a client secret, for either key of the platform (docs/choices.md, Attempts).
 * Returns undefined for a wrong secret, and for a caller whose Account header names another account than the session's.
 */
export async function findSessionBySecret(
  queries: Queries,
  caller: Caller,
  { id, clientSecret }: { id: string; clientSecret: string },
): Promise<PaymentSessionRow | undefined> {
  const session = await paymentSessions.findAny(queries, id);
  if (!session || !constantTimeEqual(clientSecret, session.client_secret)) return undefined;
  return (await isVisible(queries, caller, session.account_id)) ? session : undefined;
}

/**
 * Returns the session of a client secret, which begins with the session's id.
 * @throws Refusal `not_found`.
 */
export async function requireSessionBySecret(
  queries: Queries,
  caller: Caller,
  clientSecret: string,
): Promise<PaymentSessionRow> {
  const id = clientSecret.split('_secret_')[0]!;
  const session = await findSessionBySecret(queries, caller, { id, clientSecret });
  if (!session) throw new Refusal('not_found', { what: 'payment session' });
  return session;
}

async function isVisible(queries: Queries, caller: Caller, accountId: string): Promise<boolean> {
  if (caller.accountId === accountId) return true;
  if (caller.accountId !== caller.platformId) return false;
  return (await findAccount(queries, accountId))?.platformId === caller.platformId;
}
