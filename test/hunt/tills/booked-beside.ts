import type { HuntOptions } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';
import { takingsAre } from './takings.ts';

/** How long the database of the shop takes. */
const WRITE_MS = 150;
/** How long the customer takes to return to the shop. */
const RETURN_MS = 2_500;

/**
 * A shop that books a payment at its event, or when the customer returns to it and it reads the payment, whichever is first.
 * It keeps the ids of events at once, looks whether the payment is booked, and books it in its database: with both at once
 * it is booked twice. In the right one the second waits for the first.
 */
export function bookedBeside(isRight: boolean): HuntOptions {
  let secret = '';
  let booked: number[] = [];
  return {
    async prepare(world) {
      secret = (await world.listen('shop', ['PaymentSession.captured'])).secret;
    },
    async scenario(scene) {
      const books: number[] = [];
      booked = books;
      const seen = new Set<string>();
      let booking: Promise<void> | undefined;
      const write = async () => {
        await scene.sleep(WRITE_MS);
        books.push(1742);
      };
      const book = async () => {
        if (books.length > 0) return;
        // Defect: what is being written is not in the books yet.
        await (isRight ? (booking ??= write()) : write());
      };
      scene.world.receiver('shop').behaviour = async (delivery) => {
        if (!isSigned(delivery, secret)) return 400;
        const { id } = delivery.event;
        if (seen.has(id)) return 200;
        seen.add(id);
        await book();
        return 200;
      };
      const provider = openProvider(scene);
      const session = await createSession(provider, { ...SESSION, amount: 1742 });
      await attemptPayment(provider, session);
      await scene.sleep(RETURN_MS);
      if ((await provider.read(`/payment-sessions/${session.id}`)).status === 'Captured') await book();
    },
    verdicts: [takingsAre(() => booked)],
  };
}
