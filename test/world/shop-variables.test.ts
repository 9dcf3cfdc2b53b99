import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shopVariables } from '../../world/shop-variables.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOLD = { url: 'http://127.0.0.1:1', secretKey: 'sk_sandbox_x', currency: 'GBP' };
const ORDER = { orderId: 'order-1', amount: 1742 };
const ALL = {
  ...SOLD,
  order: ORDER,
  terminalId: 'tml_1',
  terminalIds: ['tml_1', 'tml_2'],
  webhookSecret: 'whsec_1',
  port: 3000,
  store: 'shop.db',
  speed: 20,
};

test('shopVariables: leaves out what a program is not told', () => {
  expect(shopVariables({ ...SOLD, order: ORDER, terminalId: undefined })).toEqual({
    TAPBENCH_URL: SOLD.url,
    TAPBENCH_KEY: SOLD.secretKey,
    TAPBENCH_ORDER: 'order-1',
    TAPBENCH_AMOUNT: '1742',
    TAPBENCH_CURRENCY: 'GBP',
  });
});

test('shopVariables: all of them, and no others, are in the table of docs/hunting.md', async () => {
  const table = await readFile(join(ROOT, 'docs/hunting.md'), 'utf8');
  const described = [...table.matchAll(/^\| `(TAPBENCH_\w+)`/gm)].map(([, name]) => name);
  expect(described).toEqual(Object.keys(shopVariables(ALL)));
});

test.each(['shop/start.js', 'shop-python/shop.py', 'ci/payment.test.mjs'])(
  'examples/%s: reads no variable of Tapbench by another name',
  async (file) => {
    const known = Object.keys(shopVariables(ALL));
    const text = await readFile(join(ROOT, 'examples', file), 'utf8');
    const read = [...text.matchAll(/TAPBENCH_\w+/g)].map(([name]) => name);
    expect(read).not.toEqual([]);
    expect(known).toEqual(expect.arrayContaining(read));
  },
);
