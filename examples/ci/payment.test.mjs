// Tests that a payment on a terminal is captured: the test step of tapbench.yml.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const { TAPBENCH_URL, TAPBENCH_KEY, TAPBENCH_TERMINAL } = process.env;
const terminal = `/v1/in-person/terminals/${TAPBENCH_TERMINAL}`;

async function call(path, options) {
  const headers = { authorization: TAPBENCH_KEY, 'content-type': 'application/json' };
  const response = await fetch(TAPBENCH_URL + path, { ...options, headers });
  assert.equal(response.status, 200, path);
  return response.json();
}

await test('a payment of 17.42 is captured', { timeout: 30_000 }, async () => {
  const body = JSON.stringify({ amounts: { requested: 1742 }, currency: 'GBP' });
  await call(`${terminal}/payment`, { method: 'POST', body });
  let action;
  do {
    await delay(100);
    ({ action } = await call(terminal));
  } while (action.status === 'InProgress');
  assert.equal(action.status, 'Succeeded');
  const session = await call(`/v1/payment-sessions/${action.transaction.paymentSessionId}`);
  assert.equal(session.status, 'Captured');
});
