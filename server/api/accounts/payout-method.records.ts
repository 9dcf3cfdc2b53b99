import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { ChangeOf, RowOf } from '../../platform/store/stored-property.ts';
import { PAYOUT_METHOD } from './payout-method.schema.ts';

export type PayoutMethodRow = RowOf<typeof PAYOUT_METHOD>;

export type PayoutMethodChange = ChangeOf<typeof PAYOUT_METHOD>;

/** The payout methods of accounts, at most one for each currency of an account. */
export const payoutMethods = storedObjects({ table: 'payout_methods', deletable: {} }, PAYOUT_METHOD);
