import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { replaced } from '../browser/proxies.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const HOOK = 'http://127.0.0.1:3000/hook';
const REPLY_LOST = { at: 'api.reply', what: 'reset', when: { operation: 'POST /v1/customers' } };
const ACTIVE = /^plan_\d+ is active\n$/;
const SHOP = join(import.meta.dirname, '../../../examples/shop-python/shop.py');

/** Writes a shop whose books are wrong without any fault. */
const writeWrongShop = ({ write }: Pick<Stage, 'write'>) =>
  write(
    'shop.py',
    replaced(readFileSync(SHOP, 'utf8'), { 'SUM(bookings.amount)': '2 * SUM(bookings.amount)' }),
  );

/** Sells on a terminal, and sends the payment again whatever went wrong, until it is accepted. */
const SELL_AGAIN = `
async function sell({ url, secretKey, terminalId, orderId, fetch, sleep }) {
  const body = JSON.stringify({
    amounts: { requested: 1742 }, currency: 'GBP', paymentSession: { metadata: { orderId } },
  });
  const headers = { authorization: secretKey, 'content-type': 'application/json' };
  const path = url + '/v1/in-person/terminals/' + terminalId + '/payment';
  for (;;) {
    const reply = await fetch(path, { method: 'POST', headers, body }).catch(() => undefined);
    if (reply?.ok) break;
    await sleep(1000);
  }
}`;

/** A program of a user that sells what its environment says. */
const SELL_PROGRAM = `${SELL_AGAIN}
const { TAPBENCH_URL: url, TAPBENCH_KEY: secretKey, TAPBENCH_TERMINAL: terminalId, TAPBENCH_ORDER: orderId } = process.env;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await sell({ url, secretKey, terminalId, orderId, fetch, sleep });
`;

const HUNT_MODULE = `${SELL_AGAIN}
export default {
  prepare: (world) => world.openTill({ cardholder: { script: 'tap', delayMs: 1000 } }),
  scenario: ({ world, till, fetch, sleep }) => sell({
    url: world.url, secretKey: world.secretKey, terminalId: till.terminal.terminalId, orderId: 'order-1', fetch, sleep,
  }),
};
`;

/** What a hunt says that takes longer than a second. */
const TRYING = /^((trying|found) .*\n)*$/;

const CHARGED_TWICE = /the order order-1 was charged 2 times/;

/** Puts a plan on the sandbox whose fault has struck. */
async function struckPlan({ api }: Stage): Promise<void> {
  expect((await api('POST', '/sandbox/faults', { faults: [REPLY_LOST] })).id).toBe('plan_1');
  await api('POST', '/v1/customers', { email: 'ana@corner.example' }).catch(() => {});
}

const plans = async ({ api }: Stage) => (await api('GET', '/sandbox/faults')).items;

export const FAULT_ROWS: ExampleRows = {
  'tapbench faults': {
    prepare: struckPlan,
    stdout: /^PLAN .*\nplan_1 +\w+ +1 +api\.reply +reset +operation=POST \/v1\/customers\n$/,
  },
  'tapbench faults points': { stdout: /^api\.request: [\s\S]*\nwebhook\.attempt: / },
  'tapbench faults add api.reply reset --operation "POST /v1/payment-sessions"': {
    stdout: ACTIVE,
    async after(stage) {
      const body = { amount: 1742, currency: 'GBP', customerEmail: 'ana@corner.example' };
      await expect(stage.api('POST', '/v1/payment-sessions', body)).rejects.toThrow(
        /ECONNRESET|socket hang up/,
      );
      await stage.api('POST', '/v1/payment-sessions', body);
    },
  },
  'tapbench faults add webhook.attempt twice --times 100': {
    stdout: ACTIVE,
    after: async (stage) =>
      expect(await plans(stage)).toMatchObject([{ faults: [{ what: 'twice', when: { times: 100 } }] }]),
  },
  'tapbench faults add api.request unavailable --for-ms 60000': {
    stdout: ACTIVE,
    after: async (stage) =>
      expect(await plans(stage)).toMatchObject([
        { faults: [{ what: 'unavailable', when: { forMs: 60_000 } }] },
      ]),
  },
  [`tapbench faults add webhook.attempt dropped --endpoint ${HOOK} --until-attempt 3 --times 100`]: {
    async prepare({ fixture, api }) {
      const { url } = await fixture.receiver();
      await api('POST', '/v1/webhooks', { url, active: true, eventTypes: ['Customer.created'] });
      return { [HOOK]: url };
    },
    stdout: ACTIVE,
    async after(stage) {
      const when = { id: expect.stringMatching(/^wh_/), untilAttempt: 3, times: 100 };
      expect(await plans(stage)).toMatchObject([{ faults: [{ what: 'dropped', when }] }]);
    },
  },
  'tapbench faults load night.json': {
    prepare: ({ write }) => write('night.json', JSON.stringify({ faults: [REPLY_LOST] })),
    stdout: ACTIVE,
  },
  'tapbench faults show plan_1': {
    prepare: struckPlan,
    stdout: /\nplan_1 .*\n\d\d:\d\d:\d\d {2}reset {2}/,
  },
  'tapbench faults delete plan_1': {
    prepare: struckPlan,
    stdout: /^plan_1 deleted\n$/,
    after: async (stage) => expect(await plans(stage)).toEqual([]),
  },
  'tapbench hunt shop.hunt.js': {
    prepare: ({ write }) => write('shop.hunt.js', HUNT_MODULE),
    code: 1,
    stdout: CHARGED_TWICE,
    stderr: TRYING,
    after: ({ read }) => expect(read('hunt-1.tapbench').length).toBeGreaterThan(0),
  },
  "tapbench hunt --command 'python3 shop.py' --sell /orders --books /books --webhooks /webhooks": {
    prepare: writeWrongShop,
    code: 1,
    stdout:
      /^found after 1 plan, seed 1: the shop has 34\.84 GBP for the order order-1, and 17\.42 GBP were taken\n/,
    stderr: TRYING,
  },
  'tapbench certify till --sell /orders --books /books --webhooks /webhooks -- python3 shop.py': {
    prepare: writeWrongShop,
    code: 1,
    stdout: /^failed +till\.sells: sell: the shop has [\d.]+ GBP for the order order-1.*\n[\s\S]*2 failed, /,
  },
  "tapbench certify till --sell /orders --books /books --webhooks /webhooks --calls refund.json --only 'till.drill.*' -- python3 shop.py":
    {
      prepare: (stage) => {
        writeWrongShop(stage);
        stage.write('refund.json', readFileSync(join(SHOP, '../refund.json'), 'utf8'));
      },
      code: 1,
      stdout: /^failed +till\.sells: [\s\S]*not shown +till\.drill\.lost-result: it needs till\.sells/,
    },
  'tapbench drill': { stdout: /^DRILL +WHAT HAPPENS\nlost-result +/ },
  'tapbench drill lost-reply': { stdout: /money was lost[\s\S]*nothing was lost/ },
  'tapbench drill lost-reply --wait': {
    keyboard: true,
    async meanwhile({ run, write }, { child, press }) {
      write('sell.js', SELL_PROGRAM);
      const shown = await waitFor('the sandbox of the drill', () =>
        child.stderr.includes('Press Enter') ? child.stderr.match(/TAPBENCH_\w+=\S+/g) : undefined,
      );
      await run(`${shown.join(' ')} node sell.js`);
      press('\n');
    },
    code: 1,
    stdout: CHARGED_TWICE,
    stderr: /TAPBENCH_URL=/,
  },
  'tapbench drill lost-reply -- node sell.js': {
    prepare: ({ write }) => write('sell.js', SELL_PROGRAM),
    code: 1,
    stdout: CHARGED_TWICE,
  },
};
