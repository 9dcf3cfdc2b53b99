import { profileOf, type AccountRow } from '../../api/accounts/account.records.ts';
import { parseSettings } from '../../api/accounts/account-settings.ts';
import { personOf, type PersonRow } from '../../api/accounts/person.records.ts';
import { verificationStep, type VerificationEvent } from '../../api/accounts/verification.machine.ts';
import type { StoredVerification } from '../../api/accounts/verification.rules.ts';
import { payoutStep } from '../../api/payouts/payout.machine.ts';
import { payoutMethods, type PayoutMethodRow } from '../../api/accounts/payout-method.records.ts';
import { PayoutMethodVerification } from '../../api/accounts/payout-method.schema.ts';
import type { PayoutRow } from '../../api/payouts/payout.records.ts';
import { STATUS_EVENTS } from '../payout-control.resource.ts';
import { choiceField, objectAction, type ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';
import { keysOf } from '../../../protocol/tables.ts';

const VERIFICATIONS = PayoutMethodVerification.properties.status.enum;

const STATUSES = keysOf(STATUS_EVENTS);

const DECISIONS = [
  { outcome: 'Verified', event: 'check.waived', name: 'verify', label: 'Verify' },
  { outcome: 'Required', event: 'check.failed', name: 'refuse-verification', label: 'Refuse verification' },
] as const;

function decisionsOn(verification: StoredVerification) {
  const allows = (type: VerificationEvent['type']) =>
    verificationStep(verification, { type } as VerificationEvent) !== undefined;
  const isVerified = verification.phase === 'verified';
  return DECISIONS.filter(
    ({ outcome, event }) => allows(event) && !(outcome === 'Verified' && isVerified),
  ).map(({ outcome, name, label }) => ({ name, label, body: { outcome } }));
}

/** Returns what an account allows: the result of the verification of a sub account, and whether payouts are disabled. */
export function accountActions(_context: ActionContext, row: AccountRow): ObjectAction[] {
  const { verification } = profileOf(row);
  const decisions = row.platform_id === null ? [] : decisionsOn(verification);
  const { frozen } = parseSettings(row.settings);
  return [
    ...decisions.map((decision) =>
      objectAction({
        ...decision,
        operation: 'POST /sandbox/accounts/{id}/verification',
        params: { id: row.id },
      }),
    ),
    objectAction({
      operation: 'PATCH /sandbox/accounts/{id}/settings',
      params: { id: row.id },
      name: frozen ? 'enable-payouts' : 'disable-payouts',
      label: frozen ? 'Enable payouts' : 'Disable payouts',
      body: { frozen: !frozen },
    }),
  ];
}

/** Returns what a person allows: the result of the verification. */
export function personActions(_context: ActionContext, row: PersonRow): ObjectAction[] {
  const { verification, accountId } = personOf(row);
  if (row['deleted'] === 1) return [];
  return decisionsOn(verification).map((decision) =>
    objectAction({
      ...decision,
      operation: 'POST /sandbox/accounts/{id}/persons/{personId}/verification',
      params: { id: accountId, personId: row.id },
    }),
  );
}

/** Returns what a payout method allows: the results of the comparison of its holder's name. */
export function payoutMethodActions(_context: ActionContext, row: PayoutMethodRow): ObjectAction[] {
  if (row['deleted'] === 1) return [];
  const { status } = payoutMethods.show(row).verification;
  return [
    objectAction({
      operation: 'POST /sandbox/payout-methods/{id}/verification',
      params: { id: row.id },
      name: 'set-verification',
      label: 'Set the verification',
      accountId: row.account_id,
      fields: [
        choiceField(
          'status',
          'Verification',
          VERIFICATIONS.filter((each) => each !== status),
        ),
      ],
    }),
  ];
}

/** Returns what a payout allows: the statuses that the bank or a review can set. */
export function payoutActions(_context: ActionContext, row: PayoutRow): ObjectAction[] {
  const next = STATUSES.filter((status) => payoutStep(row.status, { type: STATUS_EVENTS[status] }));
  if (next.length === 0) return [];
  return [
    objectAction({
      operation: 'POST /sandbox/payouts/{id}/outcome',
      params: { id: row.id },
      name: 'set-status',
      label: 'Set the status',
      accountId: row.account_id,
      fields: [choiceField('status', 'Status', next)],
    }),
  ];
}
