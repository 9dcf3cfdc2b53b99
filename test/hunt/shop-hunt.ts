import { openOrderBook, type OrderBook } from '../../examples/shop/order-book.js';
import { openShop, type Shop, type ShopOptions } from '../../examples/shop/shop.js';
import { EVENT_TYPES } from '../../examples/shop/webhook.js';
import type { HuntOptions, HuntScene } from '../../testing/hunt/hunt.ts';

const PATIENCE_MS = 2_000;
const TRIES_MAX = 3;

/**
 * A day at the shop of examples/shop: the cashier sells something and tries again while the shop says that it was not
 * paid, gives the money back, and cancels another sale. The order book survives a restart.
 */
export function dayAtTheShop(openPayments: ShopOptions['openPayments']): HuntOptions {
  let webhookSecret = '';
  let terminalId = '';
  let book: OrderBook | undefined;
  let shop: Shop;

  function open({ world, fetch, sleep }: HuntScene): void {
    const { url, secretKey } = world;
    shop = openShop({ url, secretKey, fetch, sleep, openPayments, book: book!, terminalId, webhookSecret });
    const { receive } = shop;
    world.receiver('shop').behaviour = ({ body, signature }) => receive(body, signature);
  }

  async function ends(orderId: string, { sleep }: HuntScene): Promise<string> {
    while (book!.unfinished().length > 0) await sleep(PATIENCE_MS);
    return shop.order(orderId).status;
  }

  async function sells(orderId: string, scene: HuntScene): Promise<string> {
    shop.sell({ orderId, amount: 1742 });
    while ((await ends(orderId, scene)) === 'failed' && shop.order(orderId).attempt < TRIES_MAX)
      shop.pay(orderId);
    return shop.order(orderId).status;
  }

  /** What the cashier has done is in the order book, so that the day goes on after a restart. */
  async function work(scene: HuntScene): Promise<void> {
    if ((await sells('order-1', scene)) === 'paid') {
      if (shop.order('order-1').attempt <= TRIES_MAX) shop.refund('order-1');
      await ends('order-1', scene);
    }
    if (!book!.order('order-2')) {
      shop.sell({ orderId: 'order-2', amount: 520 });
      await scene.sleep(900);
      if (shop.order('order-2').status === 'paying') shop.cancel('order-2');
    }
    await ends('order-2', scene);
  }

  return {
    async prepare(world) {
      ({ secret: webhookSecret } = await world.listen('shop', EVENT_TYPES));
      const till = await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
      terminalId = till.terminal.terminalId;
    },
    async scenario(scene) {
      book?.close();
      book = openOrderBook(':memory:');
      scene.restart((again) => {
        shop.close();
        open(again);
        return work(again);
      });
      open(scene);
      await work(scene);
    },
    shop: () => shop.books(),
  };
}
