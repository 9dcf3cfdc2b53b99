import { afterEach, expect, test } from 'vitest';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
afterEach(() => world.close());

const TERMINALS = 200;

// Four seconds of work on two quiet cores.
const TIMEOUT_MS = 60_000;

test(
  'fleet: 200 payments on 200 terminals at once each end once, with one event each',
  { timeout: TIMEOUT_MS },
  async () => {
    world = await startWorld({ cardholder: { script: 'tap', delayMs: 1000 } });
    const shop = await world.listen('shop', ['PaymentSession.captured']);
    const { body } = await world.api.post('/sandbox/fleets', { terminals: TERMINALS });
    const ids: string[] = body.items.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(TERMINALS);
    await Promise.all(ids.map((terminalId) => world.fleet.add({ terminalId })));
    await world.until('all are online', () => world.fleet.terminals().every(({ online }) => online));

    const started = await Promise.all(
      ids.map((id, index) =>
        world.api.post(`/v1/in-person/terminals/${id}/payment`, {
          amounts: { requested: 10_000 + index },
          currency: 'GBP',
        }),
      ),
    );
    expect(started.every(({ status }) => status === 200)).toBe(true);
    await world.advance({ seconds: 2 });

    const sessionIds = started.map((answer) => answer.body.action.transaction.paymentSessionId as string);
    for (const terminal of world.fleet.terminals()) {
      expect(await openTill(world, terminal).action()).toMatchObject({ status: 'Succeeded' });
    }
    const till = openTill(world, world.fleet.terminals()[0]!);
    for (const id of sessionIds) expect(await till.movements(id)).toEqual(['Authorization', 'Capture']);
    expect(shop.deliveries.map(({ event }) => event.data.id).toSorted()).toEqual(sessionIds.toSorted());
  },
);
