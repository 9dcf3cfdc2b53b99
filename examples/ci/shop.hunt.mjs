// A shop that takes one payment at a terminal, and the options with which `tapbench hunt shop.hunt.mjs` tries it against faults.

let orders = [];

export default {
  prepare: (world) => world.openTill({ cardholder: { script: 'tap', delayMs: 1000 } }),
  async scenario(scene) {
    orders = [{ orderId: 'order-1', amount: 1742, paid: false }];
    await sell(scene, orders[0]);
  },
  shop: () => ({ orders }),
};

async function sell(scene, order) {
  const session = await startPayment(scene, order);
  order.paid = session !== undefined && (await isCaptured(scene, session.id));
}

/** Starts the payment of an order once: it looks for it where it does not know whether it has begun. */
async function startPayment(scene, { orderId, amount }) {
  const path = `/v1/in-person/terminals/${scene.till.terminal.terminalId}/payment`;
  const paymentSession = { metadata: { orderId } };
  for (;;) {
    const reply = await send(scene, 'POST', path, {
      amounts: { requested: amount },
      currency: 'GBP',
      paymentSession,
    });
    if (reply?.status === 200) return { id: reply.body.action.transaction.paymentSessionId };
    const { items } = await read(scene, '/v1/payment-sessions?limit=50&startTimestamp=0');
    const session = items.find(({ metadata }) => metadata?.orderId === orderId);
    if (session) return session;
    // Refused for good: nothing was taken.
    if (reply && reply.status < 500 && ![409, 429].includes(reply.status)) return undefined;
    await scene.sleep(1000);
  }
}

/** Resolves when a payment has ended, with whether its money was taken. */
async function isCaptured(scene, sessionId) {
  const terminalPath = `/v1/in-person/terminals/${scene.till.terminal.terminalId}`;
  for (;;) {
    const { action } = await read(scene, terminalPath);
    const { status } = await read(scene, `/v1/payment-sessions/${sessionId}`);
    if (status === 'Captured') return true;
    if (action.transaction.paymentSessionId !== sessionId || action.status !== 'InProgress') return false;
    await scene.sleep(5000);
  }
}

/** Reads again, after longer and longer, until there is a reply. */
async function read(scene, path) {
  for (let waitMs = 1000; ; waitMs = Math.min(waitMs * 2, 60_000)) {
    const reply = await send(scene, 'GET', path);
    if (reply?.status === 200) return reply.body;
    await scene.sleep(waitMs);
  }
}

/** Resolves with the reply to a request; undefined where it was lost, and nobody knows whether the request was done. */
async function send({ world, fetch }, method, path, body) {
  const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
  try {
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(world.url + path, options);
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}
