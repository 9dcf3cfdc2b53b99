import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import { TRANSFER } from './transfer.schema.ts';

export type TransferRow = RowOf<typeof TRANSFER>;

export type NewTransfer = NewOf<typeof TRANSFER>;

/** Transfers belong to the account of the platform. */
export const transfers = storedObjects({ table: 'transfers' }, TRANSFER);
