import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Product } from './product.schema.ts';

/** Stored as the API shows it: the API cannot change a product. */
export interface ProductRow extends Row {
  id: string;
  body: JsonText<Product>;
}

export function toProduct(row: ProductRow): Product {
  return parseJson(row.body);
}

export const PRODUCT_LIST: PageSource = { table: 'products', owned: { where: '1 = 1', parameters: [] } };

export function findProduct(queries: Queries, id: string): Promise<ProductRow | undefined> {
  return queries.get<ProductRow>(`SELECT * FROM products WHERE id = ?`, id);
}

/** Inserts a product unless it exists. */
export async function insertProduct(tx: Transaction, product: Product): Promise<void> {
  await tx.run(
    `INSERT INTO products (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`,
    product.id,
    JSON.stringify(product),
  );
}
