import { createHmac } from 'node:crypto';
import type { Delivery } from '../../../testing/world/receivers.ts';
import type { HuntFacts, HuntOptions } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

/**
 * A shop that books a payment at each event of it, whether it has seen the event or not: one that comes twice is booked
 * twice. The right one knows the ids of the events that it has handled.
 */
export function bookedTwice(isRight: boolean): HuntOptions {
  let secret = '';
  let booked: number[] = [];
  const isTrue = ({ body, signature }: Delivery) =>
    signature.includes(createHmac('sha256', secret).update(body).digest('hex'));
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
        if (!isTrue(delivery)) return 400;
        const { id, data } = delivery.event;
        if (isRight && handled.has(id)) return 200;
        handled.add(id);
        books.push(data.amount);
        return 200;
      };
      const provider = openProvider(scene);
      await attemptPayment(provider, await createSession(provider, { ...SESSION, amount: 1742 }));
    },
    verdicts: [takingsAreRight],
  };

  function takingsAreRight({ payments }: HuntFacts): string | undefined {
    const taken = payments
      .filter(({ status }) => status === 'Captured')
      .reduce((sum, { amount }) => sum + amount, 0);
    const inBooks = booked.reduce((sum, amount) => sum + amount, 0);
    return taken === inBooks ? undefined : `the books have ${inBooks}, and ${taken} were taken`;
  }
}
