import { locations, type LocationRow } from '../../api/in-person/terminals/location.records.ts';
import {
  orders,
  products,
  skus,
  type OrderRow,
  type ProductRow,
  type SkuRow,
} from '../../api/in-person/catalogue/catalogue.ts';
import { readTerminal, terminals, type TerminalRow } from '../../api/in-person/terminals/terminal.records.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';

export const terminal = objectType<TerminalRow>({
  ...tableOf(terminals),
  references: [{ to: 'location', column: 'location_id' }],
  show: ({ store }, rows) => Promise.all(rows.map((row) => readTerminal(store, row))),
  label: (row) => `${row.name} ${row.serial_number}`,
  jobsOf: (row) => (row.last_action_id === null ? [] : [row.last_action_id]),
});

export const location = objectType<LocationRow>({
  ...tableOf(locations),
  references: [],
  show: shownBy((row) => locations.show(row)),
  label: (row) => row.name,
});

export const order = objectType<OrderRow>({
  table: orders.table,
  account: 'account_id',
  searched: ['id', 'body'],
  hasTime: false,
  references: [{ to: 'any', where: 'body LIKE ?', inText: true }],
  show: shownBy(orders.show),
});

export const product = objectType<ProductRow>({
  table: products.table,
  account: null,
  searched: ['id', 'body'],
  hasTime: false,
  references: [],
  show: shownBy(products.show),
  label: (row) => products.show(row).name,
});

export const sku = objectType<SkuRow>({
  table: skus.table,
  account: null,
  category: 'country',
  searched: ['id', 'body'],
  hasTime: false,
  references: [{ to: 'product', column: 'product_id' }],
  show: shownBy(skus.show),
  label: (row) => skus.show(row).name,
});
