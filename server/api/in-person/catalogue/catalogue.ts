import { storedDocuments, type DocumentRow } from '../../../platform/store/stored-documents.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import type { Order } from './order.schema.ts';
import type { Product, Sku } from './catalogue.schema.ts';

export type ProductRow = DocumentRow<Product>;
export type SkuRow = DocumentRow<Sku, 'product_id' | 'country'>;
export type OrderRow = DocumentRow<Order, 'account_id'>;

/**
 * Products, SKUs and orders of a sandbox, which the API can only read (docs/choices.md, Catalogue). Their ids are the
 * same in every sandbox.
 */
export const products = storedDocuments<Product>('products');
export const skus = storedDocuments<Sku, 'product_id' | 'country'>('skus', ['product_id', 'country']);
export const orders = storedDocuments<Order, 'account_id'>('orders', ['account_id']);

const FIRST_DAY = 1_736_154_000; // 2025-01-06 09:00 UTC
const HOUR = 3_600;
const made = (hour: number) => ({
  createdTimestamp: FIRST_DAY + hour * HOUR,
  lastUpdatedTimestamp: FIRST_DAY + hour * HOUR,
});

const A920 = 'ippd_01JGXDFAM0Y2QZJP0SHDFV20F9';
const COUNTERTOP = 'ippd_01JGXDH57040J55HAZVQRNDW0R';

export const PRODUCTS: readonly Product[] = [
  {
    id: A920,
    name: 'PAX A920 Pro',
    status: 'Available',
    description: 'A portable terminal with a receipt printer',
    details: {
      battery: '5150 mAh',
      display: '5.5 inch touch screen',
      connectivity: 'WiFi, 4G, Bluetooth',
      cardReaders: 'Contactless, chip, magnetic stripe',
    },
    ...made(0),
  },
  {
    id: COUNTERTOP,
    name: 'Countertop Terminal',
    status: 'Available',
    description: 'A terminal for a fixed till, with a receipt printer',
    details: {
      display: '4 inch touch screen',
      connectivity: 'Ethernet, WiFi',
      cardReaders: 'Contactless, chip, magnetic stripe',
    },
    ...made(0),
  },
];

const A920_GB = 'ipsku_01JGXDJZT0DGB7KE2JGAW6RKWJ';
const COUNTERTOP_GB = 'ipsku_01JGXDPN006XYSGYMA1M5T4RRQ';

type SkuFacts = Pick<Sku, 'id' | 'name' | 'country' | 'totalAmount' | 'currency' | 'productId'>;
const sku = (facts: SkuFacts): Sku => ({ ...facts, status: 'Available', ...made(1) });

export const SKUS: readonly Sku[] = [
  sku({
    id: A920_GB,
    name: 'PAX A920 Pro (UK)',
    country: 'GB',
    totalAmount: 28_680,
    currency: 'GBP',
    productId: A920,
  }),
  sku({
    id: 'ipsku_01JGXDMTD01931SWR5NDBJ98AS',
    name: 'PAX A920 Pro (US)',
    country: 'US',
    totalAmount: 29_900,
    currency: 'USD',
    productId: A920,
  }),
  sku({
    id: COUNTERTOP_GB,
    name: 'Countertop Terminal (UK)',
    country: 'GB',
    totalAmount: 19_080,
    currency: 'GBP',
    productId: COUNTERTOP,
  }),
  sku({
    id: 'ipsku_01JGXDRFK06M3F8EZSEK8H9ZEK',
    name: 'Countertop Terminal (US)',
    country: 'US',
    totalAmount: 19_900,
    currency: 'USD',
    productId: COUNTERTOP,
  }),
];

const customer = { email: 'owner@example.com', firstName: 'Ana', lastName: 'Reid' };

const shipping = {
  address: {
    businessName: 'Corner Shop',
    firstName: 'Ana',
    lastName: 'Reid',
    lineOne: '1 High Street',
    lineTwo: null,
    city: 'London',
    country: 'GB',
    postalCode: 'N1 1AA',
    region: null,
    deliveryInstructions: 'Leave with the neighbour',
  },
  contact: { email: 'owner@example.com', mobilePhoneNumber: '+447700900123' },
  method: {
    id: 'ipsm_01JGXE59R063SZG8QRF6N9EPHD',
    name: 'Standard',
    description: 'Two to three working days',
    totalAmount: 600,
    taxAmount: 100,
  },
};

const A920_ITEM = {
  id: A920_GB,
  name: 'PAX A920 Pro (UK)',
  totalAmountPerUnit: 28_680,
  taxAmountPerUnit: 4_780,
};
const COUNTERTOP_ITEM = {
  id: COUNTERTOP_GB,
  name: 'Countertop Terminal (UK)',
  totalAmountPerUnit: 19_080,
  taxAmountPerUnit: 3_180,
};

type OrderFacts = Pick<Order, 'id' | 'status' | 'items'> & Partial<Order> & { hour: number };

/** Returns an order with the totals of its items and its shipping. */
function order({ hour, ...facts }: OrderFacts): Order {
  const method = facts.shipping?.method;
  const sum = (each: (item: Order['items'][number]) => number) =>
    facts.items.reduce((total, item) => total + each(item) * item.quantity, 0);
  return {
    totalAmount: sum((item) => item.totalAmountPerUnit) + (method?.totalAmount ?? 0),
    taxAmount: sum((item) => item.taxAmountPerUnit) + (method?.taxAmount ?? 0),
    currency: 'GBP',
    customer,
    shipping: null,
    tracking: null,
    metadata: null,
    ...made(hour),
    ...facts,
  };
}

export const ORDERS: readonly Order[] = [
  order({
    id: 'ipord_01JGXDTA60ZXTK243P20E4AM2V',
    status: 'Shipped',
    hour: 24,
    items: [{ ...A920_ITEM, quantity: 2 }],
    shipping,
    tracking: {
      items: [{ carrier: 'DPD', reference: '15501234567890', shippedTimestamp: FIRST_DAY + 48 * HOUR }],
    },
    metadata: { shop: 'High Street' },
    lastUpdatedTimestamp: FIRST_DAY + 48 * HOUR,
  }),
  order({
    id: 'ipord_01JGXDW4S0T1M6X5F0ZSH7WXA0',
    status: 'ReadyToShip',
    hour: 72,
    items: [
      { ...A920_ITEM, quantity: 1 },
      { ...COUNTERTOP_ITEM, quantity: 1 },
    ],
    shipping,
  }),
  order({
    id: 'ipord_01JGXDXZC0MH505MQN6FSMHF4W',
    status: 'AwaitingPayment',
    hour: 96,
    items: [{ ...COUNTERTOP_ITEM, quantity: 3 }],
    customer: { email: 'owner@example.com', firstName: null, lastName: null },
  }),
  order({
    id: 'ipord_01JGXDZSZ0NJ02RNVXJBPD72H6',
    status: 'Cancelled',
    hour: 120,
    items: [{ ...A920_ITEM, quantity: 1 }],
  }),
];

/** Inserts the catalogue and the orders of one account. Existing rows stay as they are. */
export function seedCatalogue(tx: Transaction, accountId: string): void {
  for (const product of PRODUCTS) products.insert(tx, product, {});
  for (const each of SKUS) {
    skus.insert(tx, each, { product_id: each.productId, country: each.country });
  }
  for (const each of ORDERS) orders.insert(tx, each, { account_id: accountId });
}
