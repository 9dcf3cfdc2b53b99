import { afterEach, expect, test } from 'vitest';
import { withNetworkFaults } from '../../simulator/network-faults.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
afterEach(() => world.close());

const PAYMENTS = 20;

/**
 * Whatever the network does, an action ends, and its money is where its status says: captured once, or given
 * back, or never taken.
 */
test.each(['one', 'two', 'three', 'four', 'five'])(
  'payment in person: completes over a bad network, seed %s',
  async (seed) => {
    world = await startWorld({
      seed,
      cardholder: { script: 'tap', delayMs: 1000 },
      terminalConnector: (connect, { clock }) => withNetworkFaults(connect, { clock, seed }),
    });
    const shop = await world.listen('shop', ['PaymentSession.captured', 'PaymentSession.voided']);
    const till = openTill(world, await world.addTerminal());
    const outcomes: Record<string, number> = {};

    for (let payment = 0; payment < PAYMENTS; payment++) {
      const started = await till.pay(10_000 + payment);
      expect(started.status).toBe(200);
      const sessionId = started.body.action.transaction.paymentSessionId;
      let action = started.body.action;
      for (let seconds = 0; action.status === 'InProgress' && seconds < 600; seconds += 3) {
        await world.advance({ seconds: 3 });
        action = await till.action();
      }
      const movements = await till.movements(sessionId);
      const { status } = await till.session(sessionId);
      if (action.status === 'Succeeded') {
        expect([status, ...movements]).toEqual(['Captured', 'Authorization', 'Capture']);
      } else {
        expect(action.status).toBe('Failed');
        expect([['PendingPayment'], ['Voided', 'Authorization', 'Void']]).toContainEqual([
          status,
          ...movements,
        ]);
      }
      outcomes[action.status] = (outcomes[action.status] ?? 0) + 1;
    }
    expect(outcomes['Succeeded'] ?? 0).toBeGreaterThan(0);
    const heard = shop.deliveries.map(({ event }) => event.data.id);
    expect(new Set(heard).size).toBe(heard.length);
  },
);
