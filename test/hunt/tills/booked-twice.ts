import type { HuntOptions } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';
import { takingsAre } from './takings.ts';

/** Longer than the schedule of an event. */
const PATIENCE_MINUTES = 50;

/**
 * A shop that books a payment at each event of it, whether it has seen the event or not: one that comes twice is booked
 * twice. The right one knows the ids of the events that it has handled. Both ask for the payment when no event has come by
 * the last attempt.
 */
export function bookedTwice(isRight: boolean): HuntOptions {
  let secret = '';
  let booked: number[] = [];
  return {
    async prepare(world) {
      secret = (await world.listen('shop', ['PaymentSession.captured'])).secret;
    },
    async scenario(scene) {
      // Of this run: an event of the one before may still be under way.
      const books: number[] = [];
      booked = books;
      const handled = new Set<string>();
      scene.world.receiver('shop').behaviour = (delivery) => {
        if (!isSigned(delivery, secret)) return 400;
        const { id, data } = delivery.event;
        if (isRight && handled.has(id)) return 200;
        handled.add(id);
        books.push(data.amount);
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
