import type { HuntOptions } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';
import { takingsAre } from './takings.ts';

/** How long the database of the shop takes. */
const WRITE_MS = 150;
/** Longer than the schedule of an event. */
const PATIENCE_MINUTES = 50;

/**
 * A shop that keeps the ids of the events that it has handled: it looks whether it has the event, books the payment in its
 * database, and keeps the id. An event that comes a second time meanwhile is booked twice. In the right one the second waits
 * for the first.
 */
export function bookedAtOnce(isRight: boolean): HuntOptions {
  let secret = '';
  let booked: number[] = [];
  return {
    async prepare(world) {
      secret = (await world.listen('shop', ['PaymentSession.captured'])).secret;
    },
    async scenario(scene) {
      const books: number[] = [];
      booked = books;
      const handled = new Set<string>();
      const handling = new Map<string, Promise<void>>();
      const book = async ({ id, data }: { id: string; data: { amount: number } }) => {
        await scene.sleep(WRITE_MS);
        books.push(data.amount);
        handled.add(id);
      };
      scene.world.receiver('shop').behaviour = async (delivery) => {
        if (!isSigned(delivery, secret)) return 400;
        const { event } = delivery;
        if (handled.has(event.id)) return 200;
        // Defect: what is being booked is not handled yet.
        const booking = (isRight && handling.get(event.id)) || book(event);
        handling.set(event.id, booking);
        await booking;
        return 200;
      };
      const provider = openProvider(scene);
      const session = await createSession(provider, { ...SESSION, amount: 1742 });
      await attemptPayment(provider, session);
      for (let waited = 0; waited < PATIENCE_MINUTES && books.length === 0; waited += 1)
        await scene.sleep(60_000);
      if (books.length > 0) return;
      const { status, amount } = await provider.read(`/payment-sessions/${session.id}`);
      if (status === 'Captured') books.push(amount);
    },
    verdicts: [takingsAre(() => booked)],
  };
}
