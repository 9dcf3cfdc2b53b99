import type { HuntOptions } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { takingsAre } from './takings.ts';

const TIMEOUT_MS = 20_000;
/** How long the database of the shop takes to write. */
const WRITE_MS = 150;

/**
 * A shop that waits 20 seconds for the reply to a payment, and then asks what became of it. It looks whether the payment is
 * booked, and books it: a reply that comes while it does so is booked too. In the right one a second booking waits for the
 * first.
 */
export function lateReplyBooked(isRight: boolean): HuntOptions {
  let booked: number[] = [];
  return {
    async scenario(scene) {
      const books: number[] = [];
      booked = books;
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
      const provider = openProvider(scene);
      const session = await createSession(provider, { ...SESSION, amount: 1742 });
      const paid = attemptPayment(provider, session);
      const isBooked = paid.then(({ status }) => (status === 'Captured' ? book() : undefined));
      const isLate = await Promise.race([paid.then(() => false), scene.sleep(TIMEOUT_MS).then(() => true)]);
      const call = { method: 'GET', path: `/payment-sessions/${session.id}`, timeoutMs: 10_000 } as const;
      if (isLate && (await provider.once(call).catch(() => undefined))?.status === 'Captured') await book();
      await isBooked;
    },
    verdicts: [takingsAre(() => booked)],
  };
}
