import type { ObjectRow, ObjectType } from './object-type.ts';
import type { ObjectTypeName } from './object-types.ts';
import type { ObjectSummary } from './object.schema.ts';

/** Members that show the status or the amount of an object of any type. */
interface AnyObject {
  status?: unknown;
  verification?: { status?: unknown };
  deliveryStatus?: unknown;
  active?: unknown;
  action?: { status?: unknown } | null;
  amount?: unknown;
  currency?: unknown;
  price?: AnyObject;
  sell?: AnyObject;
  transaction?: { amounts?: { requested?: unknown }; currency?: unknown };
  createdTimestamp?: unknown;
}

/** Returns the status that an object shows: its own, or that of its verification, deliveries or action. */
export function statusOf(object: object): string | null {
  const { status, verification, deliveryStatus, active, action } = object as AnyObject;
  if (typeof active === 'boolean') return active ? 'Active' : 'Inactive';
  const shown = status ?? verification?.status ?? deliveryStatus ?? action?.status;
  return typeof shown === 'string' ? shown : null;
}

function amountOf(object: AnyObject): { amount: number; currency: string } | undefined {
  const { amount, currency, price, sell, transaction } = object;
  const [minor, code] =
    transaction?.amounts === undefined
      ? [amount, currency]
      : [transaction.amounts.requested, transaction.currency];
  if (Number.isSafeInteger(minor) && typeof code === 'string')
    return { amount: minor as number, currency: code };
  const inside = price ?? sell;
  return inside && amountOf(inside);
}

/** Returns an object as a list shows it. */
export function summaryOf(
  [type, { label }]: readonly [ObjectTypeName, ObjectType],
  row: ObjectRow,
  object: object,
): ObjectSummary {
  const { createdTimestamp } = object as AnyObject;
  return {
    id: row.id,
    type,
    accountId: typeof row['of_account'] === 'string' ? row['of_account'] : null,
    label: label?.(row) ?? null,
    status: statusOf(object),
    ...(amountOf(object) ?? { amount: null, currency: null }),
    deleted: row['deleted'] === 1,
    createdTimestamp: typeof createdTimestamp === 'number' ? createdTimestamp : null,
  };
}
