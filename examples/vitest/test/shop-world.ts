import { startWorld, type Till, type UserWorld } from 'tapbench/world';
import { createPayments } from '../src/payments.ts';
import { openShop, type ProviderEvent, type Shop } from '../src/shop.ts';

const EVENTS = ['Terminal.action_updated', 'PaymentSession.captured', 'PaymentSession.refunded'];

/** A shop in a world of its own. */
export interface ShopWorld {
  world: UserWorld;
  till: Till;
  shop: Shop;
}

export async function startShop(): Promise<ShopWorld> {
  const world = await startWorld();
  const till = await world.openTill();
  const payments = createPayments(world);
  const shop = openShop({ payments, terminalId: till.terminal.terminalId });
  const hook = await world.listen('corner-shop', EVENTS);
  hook.behaviour = ({ event }) => {
    shop.handleEvent(event as ProviderEvent);
    return 200;
  };
  return { world, till, shop };
}
