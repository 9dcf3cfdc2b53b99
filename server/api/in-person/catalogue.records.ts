import { storedDocuments, type DocumentRow } from '../../platform/store/stored-documents.ts';
import type { Order } from './order.schema.ts';
import type { Product } from './product.schema.ts';
import type { Sku } from './sku.schema.ts';

export type ProductRow = DocumentRow<Product>;
export type SkuRow = DocumentRow<Sku, 'product_id' | 'country'>;
export type OrderRow = DocumentRow<Order, 'account_id'>;

/** Products, SKUs and orders, which the API cannot change. */
export const products = storedDocuments<Product>('products');
export const skus = storedDocuments<Sku, 'product_id' | 'country'>('skus', ['product_id', 'country']);
export const orders = storedDocuments<Order, 'account_id'>('orders', ['account_id']);
