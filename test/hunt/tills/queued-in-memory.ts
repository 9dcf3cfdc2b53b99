import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { createSession, payAsCustomer, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';
import { takingsAre } from './takings.ts';

/** How long the customer takes to pay. */
const CUSTOMER_MINUTES = 10;
/** Longer than the customer and the schedule of an event together. */
const PATIENCE_MINUTES = 70;

/** What survives a restart of the shop, as on a disk. */
interface Disk {
  session?: { id: string; clientSecret: string };
  handled: Set<string>;
  booked: number[];
}

/**
 * A shop that keeps the id of an event, puts it into a queue in its memory, acknowledges it, and books what is in the queue
 * each minute: when its process is killed in between, nobody books the payment, since its event is handled. The right one
 * books it before it acknowledges. Both ask for the payment when no event has come.
 */
export function queuedInMemory(isRight: boolean): HuntOptions {
  let secret = '';
  let disk: Disk = { handled: new Set(), booked: [] };
  return {
    async prepare(world) {
      secret = (await world.listen('shop', ['PaymentSession.captured'])).secret;
    },
    async scenario(scene) {
      // Of this run: an event of the one before may still be under way.
      const own: Disk = { handled: new Set(), booked: [] };
      disk = own;
      scene.restart((again) => work(again, own));
      await work(scene, own);
    },
    verdicts: [takingsAre(() => disk.booked)],
  };

  async function work(scene: HuntScene, own: Disk): Promise<void> {
    const queue: number[] = [];
    const { handled, booked } = own;
    scene.world.receiver('shop').behaviour = (delivery) => {
      if (!isSigned(delivery, secret)) return 400;
      const { id, data } = delivery.event;
      if (handled.has(id)) return 200;
      handled.add(id);
      // Defect: what is acknowledged is in the memory alone.
      (isRight ? booked : queue).push(data.amount);
      return 200;
    };
    const provider = openProvider(scene);
    own.session ??= (await createSession(provider, { ...SESSION, amount: 1742 })) as NonNullable<
      Disk['session']
    >;
    const { id, clientSecret } = own.session;
    for (let minute = 1; minute < PATIENCE_MINUTES && booked.length === 0; minute += 1) {
      if (minute > CUSTOMER_MINUTES && handled.size === 0) await payAsCustomer(scene, clientSecret);
      await scene.sleep(60_000);
      booked.push(...queue.splice(0));
    }
    if (handled.size > 0) return;
    const { status, amount } = await provider.read(`/payment-sessions/${id}`);
    if (status === 'Captured') booked.push(amount);
  }
}
