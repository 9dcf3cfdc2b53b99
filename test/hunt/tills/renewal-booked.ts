import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions } from '../../../testing/hunt/hunt.ts';
import { good } from '../../journeys/one-of-each.ts';
import { approveAsCustomer } from './challenged.ts';
import { attemptPayment, subscribe } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { takingsAre } from './takings.ts';

const DAY_MS = 24 * 3_600_000;
const PRICE = { amount: 1742, currency: 'GBP', interval: { unit: 'Days', count: 30, times: 2 } };
/** The second cycle was charged, and a charge that failed was made again. */
const SECOND_CYCLE_MS = 33 * DAY_MS;

const REQUIRED = '3ds_authentication_required';

/**
 * A shop that renews a subscription, and takes a renewal whose bank wants the cardholder to authenticate for one that is on its
 * way: it was declined, and nobody asks the customer. The right one lets the customer pay the latest session, and books what was
 * captured.
 */
export function renewalBooked(isRight: boolean): HuntOptions {
  let customerId = '';
  let booked: number[] = [];
  return {
    async prepare({ api }) {
      customerId = good(await api.post('/v1/customers', { email: 'ana@corner.example' })).id;
    },
    async scenario(scene) {
      booked = [];
      const provider = openProvider(scene);
      const { read } = provider;
      const { id, paymentSessions } = await subscribe(provider, customerId, PRICE);
      await attemptPayment(provider, paymentSessions.initial);
      await scene.sleep(SECOND_CYCLE_MS);
      const { billingDetail, paymentSessions: sessions } = await read(`/subscriptions/${id}`);
      if (isRight && billingDetail.failureDetail?.lastPaymentError === REQUIRED) {
        const { status } = await attemptPayment(provider, sessions.latest);
        if (status === 'PendingAction') await approveAsCustomer(scene, sessions.latest.id);
      }
      const { items } = await read(`/subscriptions/${id}/payment-sessions`);
      // Defect: what has to be authenticated was not taken.
      const isPaid = ({ status, lastError }: Json) =>
        status === 'Captured' || (!isRight && lastError === REQUIRED);
      booked = items.filter(isPaid).map(({ amount }: Json) => amount);
    },
    verdicts: [takingsAre(() => booked)],
  };
}
