import { payoutMethods } from './payout-method.records.ts';
import type { PayoutMethod } from './payout-method.schema.ts';
import type { Queries } from '../../platform/store/store.ts';
import type { AccountProfile } from './account-profile.ts';
import { parseSettings } from './account-settings.ts';
import { accounts, requireAccount, type AccountRow, profileOf } from './account.records.ts';
import type { AccountResource } from './account.schema.ts';
import { listPersons } from './person.records.ts';
import {
  toAccountVerification,
  type AccountVerificationInput,
  type PersonVerificationInput,
} from './verification.rules.ts';
import type { VerificationStatus } from './verification.schema.ts';

/** Returns the input of the verification rules for an account. */
export function verificationInputOf(
  profile: AccountProfile,
  persons: readonly PersonVerificationInput[],
): AccountVerificationInput {
  const { entityType, business, individual, verification } = profile;
  return { entityType, business, individual, verification, persons };
}

/** Reads the persons and payout methods of an account and returns it as the API shows it. */
export async function readAccountResource(queries: Queries, row: AccountRow): Promise<AccountResource> {
  const persons = await listPersons(queries, row.id);
  const methods = await payoutMethods.allOf(queries, row.id);
  return toAccount(
    row,
    persons,
    methods.map(({ status }) => status),
  );
}

/** Returns an account as the API shows it. @throws Refusal `not_found` when a reset has deleted it */
export async function readAccountResourceById(queries: Queries, id: string): Promise<AccountResource> {
  return readAccountResource(queries, await requireAccount(queries, id));
}

function toAccount(
  row: AccountRow,
  persons: readonly PersonVerificationInput[],
  methodStatuses: readonly PayoutMethod['status'][],
): AccountResource {
  const { frozen } = parseSettings(row.settings);
  const verification = toAccountVerification(verificationInputOf(profileOf(row), persons));
  const state = { type: row.type, frozen, verification: verification.status, methodStatuses };
  return accounts.show(row, {
    status: accountStatusOf(state),
    actionsRequired: requiredActionsOf(state),
    frozen,
    verification,
    settings: { payouts: { schedule: { type: row.payout_schedule } } },
  });
}

/** What the status of an account is derived from. */
interface AccountState {
  type: AccountRow['type'];
  frozen: boolean;
  verification: VerificationStatus;
  methodStatuses: readonly PayoutMethod['status'][];
}

/** Returns the status of an account (docs/choices.md, Account status). */
function accountStatusOf({ type, verification, methodStatuses }: AccountState): AccountResource['status'] {
  if (type === 'Standard') return 'Verified';
  if (verification === 'Required' || !methodStatuses.includes('Valid')) return 'ActionRequired';
  if (verification === 'PendingVerification') return 'VerificationPending';
  return verification === 'Verified' ? 'Verified' : 'Unverified';
}

/** Returns what the account holder has to do before payouts (deprecated: Spec §9). */
function requiredActionsOf({
  type,
  frozen,
  verification,
  methodStatuses,
}: AccountState): AccountResource['actionsRequired'] {
  if (type === 'Standard') return [];
  const actions: AccountResource['actionsRequired'] = [];
  if (verification === 'Required') {
    actions.push({ action: 'VerificationRequired', description: 'Supply what verification asks for' });
  }
  if (methodStatuses.length === 0) {
    actions.push({ action: 'PayoutMethodRequired', description: 'Add a payout method' });
  } else if (methodStatuses.every((status) => status === 'Invalid')) {
    actions.push({ action: 'PayoutMethodInvalid', description: 'Correct the payout method or add another' });
  }
  if (frozen) actions.push({ action: 'AccountLocked', description: 'The account is frozen: no payouts' });
  return actions;
}
