import { type CustomerRow, customers } from '../../api/customers/customer.records.ts';
import {
  paymentMethods,
  toStoredPaymentMethod,
  type PaymentMethodRow,
} from '../../api/customers/payment-method.records.ts';
import {
  subscriptions,
  toSubscriptionWithoutSecrets,
  type SubscriptionRow,
} from '../../api/subscriptions/subscription.records.ts';
import { machineContextOf } from '../../api/subscriptions/apply-subscription-event.ts';
import { subscriptionStep, type SubscriptionEvent } from '../../api/subscriptions/subscription.machine.ts';
import { SubscriptionCancel, SubscriptionPause } from '../../api/subscriptions/subscription.schema.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';
import { objectAction, textField, type ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';

export const customer = objectType<CustomerRow>({
  ...tableOf(customers),
  references: [
    {
      to: 'paymentMethod',
      column: 'default_payment_method_id',
      where: `id IN (SELECT payer.id FROM payment_methods AS method
        JOIN customers AS payer ON payer.id = method.customer_id AND payer.default_payment_method_id = method.id
        WHERE method.id = ?)`,
    },
  ],
  show: shownBy((row) => customers.show(row)),
  label: (row) => row.email,
});

export const paymentMethod = objectType<PaymentMethodRow>({
  ...tableOf(paymentMethods),
  category: 'scheme',
  // A card that is used once is a payment method too, but none that the API lists.
  listed: 'deleted = 0 AND stored = 1',
  references: [
    { to: 'customer', column: 'customer_id' },
    { to: 'paymentSession', column: 'session_id' },
  ],
  show: shownBy(toStoredPaymentMethod),
  label: (row) => `${row.scheme} ··${row.last4}`,
});

const OF_SESSION = 'id IN (SELECT subscription_id FROM subscription_sessions WHERE session_id = ?)';

export const subscription = objectType<SubscriptionRow>({
  ...tableOf(subscriptions),
  status: 'status',
  initialStatus: 'Pending',
  references: [
    { to: 'customer', column: 'customer_id' },
    {
      to: 'paymentMethod',
      column: 'payment_method_id',
      where: `id IN (SELECT charging.id FROM payment_methods AS method JOIN subscriptions AS charging
        ON charging.customer_id = method.customer_id AND charging.payment_method_id = method.id WHERE method.id = ?)`,
    },
    { to: 'paymentSession', column: 'initial_session_id', where: OF_SESSION },
    { to: 'paymentSession', column: 'latest_session_id', where: OF_SESSION },
  ],
  show: shownBy(toSubscriptionWithoutSecrets),
  label: (row) => row.description,
  state: (row) => row.phase,
  actions: subscriptionActions,
});

/** Returns what a subscription allows: to pause it, to resume it and to cancel it. */
function subscriptionActions(_context: ActionContext, row: SubscriptionRow): ObjectAction[] {
  const common = { params: { subscriptionId: row.id }, accountId: row.account_id };
  const machineContext = machineContextOf(row, row.payment_method_id !== null);
  const allows = (type: SubscriptionEvent['type']) =>
    subscriptionStep(row.phase, machineContext, { type } as SubscriptionEvent) !== undefined;
  const actions: ObjectAction[] = [];
  if (allows('pause.requested')) {
    const pause = objectAction({
      ...common,
      operation: 'PATCH /subscriptions/{subscriptionId}/pause',
      name: 'pause',
      label: row.phase === 'active' ? 'Pause' : 'Change the pause',
      fields: [
        { member: 'resumeAtTimestamp', label: 'Resume at (UTC)', type: 'timestamp', required: false },
        textField(SubscriptionPause, 'reason', 'Reason'),
      ],
    });
    actions.push(pause);
  }
  if (allows('pause.cancelled')) {
    const unpause = objectAction({
      ...common,
      operation: 'PATCH /subscriptions/{subscriptionId}/pause',
      name: 'remove-pause',
      label: 'Remove the pause',
      body: { unschedule: true },
    });
    actions.push(unpause);
  }
  if (allows('resume.requested')) {
    const operation = 'PATCH /subscriptions/{subscriptionId}/resume';
    actions.push(objectAction({ ...common, operation, name: 'resume', label: 'Resume' }));
  }
  if (allows('subscription.cancelled')) {
    const cancel = objectAction({
      ...common,
      operation: 'DELETE /subscriptions/{subscriptionId}',
      name: 'cancel',
      label: 'Cancel',
      fields: [textField(SubscriptionCancel, 'reason', 'Reason')],
    });
    actions.push(cancel);
  }
  return actions;
}
