import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Sku } from './sku.schema.ts';

/** Stored as the API shows it: the API cannot change a SKU. */
export interface SkuRow extends Row {
  id: string;
  product_id: string;
  country: string;
  body: JsonText<Sku>;
}

export function toSku(row: SkuRow): Sku {
  return parseJson(row.body);
}

export const SKU_LIST = (country: string, productId?: string): PageSource => ({
  table: 'skus',
  owned: productId
    ? { where: 'country = ? AND product_id = ?', parameters: [country, productId] }
    : { where: 'country = ?', parameters: [country] },
});

export function findSku(queries: Queries, id: string): Promise<SkuRow | undefined> {
  return queries.get<SkuRow>(`SELECT * FROM skus WHERE id = ?`, id);
}

/** Inserts a SKU unless it exists. */
export async function insertSku(tx: Transaction, sku: Sku): Promise<void> {
  await tx.run(
    `INSERT INTO skus (id, product_id, country, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    sku.id,
    sku.productId,
    sku.country,
    JSON.stringify(sku),
  );
}
