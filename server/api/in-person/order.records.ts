import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Order } from './order.schema.ts';

/** Stored as the API shows it: the API cannot change an order. */
export interface OrderRow extends Row {
  id: string;
  account_id: string;
  body: JsonText<Order>;
}

export function toOrder(row: OrderRow): Order {
  return parseJson(row.body);
}

export const ORDER_LIST = (accountId: string): PageSource => ({
  table: 'orders',
  owned: { where: 'account_id = ?', parameters: [accountId] },
});

export function findOrder(queries: Queries, accountId: string, id: string): Promise<OrderRow | undefined> {
  return queries.get<OrderRow>(`SELECT * FROM orders WHERE id = ? AND account_id = ?`, id, accountId);
}

/** Inserts an order unless it exists. */
export async function insertOrder(tx: Transaction, accountId: string, order: Order): Promise<void> {
  await tx.run(
    `INSERT INTO orders (id, account_id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    order.id,
    accountId,
    JSON.stringify(order),
  );
}
