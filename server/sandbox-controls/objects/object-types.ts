import { ID_FORMS, type IdKind } from '../../../protocol/ids.ts';
import { account, file, payout, payoutMethod, person, walletDomain } from './account-types.ts';
import { customer, paymentMethod, subscription } from './customer-types.ts';
import { location, order, product, sku, terminal } from './in-person-types.ts';
import { balanceTransaction, conversion, platformFee, platformFeeRefund, transfer } from './ledger-types.ts';
import type { ObjectType } from './object-type.ts';
import { action, dispute, paymentSession, transaction } from './payment-types.ts';
import { event, webhook } from './webhook-types.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** The types of objects with an id and a table, by the names of their ids. */
export const OBJECT_TYPES = {
  paymentSession,
  transaction,
  dispute,
  customer,
  paymentMethod,
  subscription,
  account,
  person,
  payoutMethod,
  payout,
  balanceTransaction,
  transfer,
  platformFee,
  platformFeeRefund,
  conversion,
  file,
  walletDomain,
  terminal,
  action,
  location,
  product,
  sku,
  order,
  event,
  webhook,
} as const satisfies Partial<Record<IdKind, ObjectType>>;

export type ObjectTypeName = keyof typeof OBJECT_TYPES;

export const OBJECT_TYPE_NAMES = keysOf(OBJECT_TYPES);

/** Returns the type of the object that an id is of; undefined for any other text. */
export function typeNameOf(id: string): ObjectTypeName | undefined {
  return OBJECT_TYPE_NAMES.find((name) => id.startsWith(ID_FORMS[name].prefix));
}
