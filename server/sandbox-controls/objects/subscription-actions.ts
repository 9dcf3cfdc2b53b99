import { machineContextOf } from '../../api/subscriptions/apply-subscription-event.ts';
import { subscriptionStep, type SubscriptionEvent } from '../../api/subscriptions/subscription.machine.ts';
import type { SubscriptionRow } from '../../api/subscriptions/subscription.records.ts';
import { SubscriptionCancel, SubscriptionPause } from '../../api/subscriptions/subscription.schema.ts';
import { objectAction, textField, type ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';

/** Returns what a subscription allows: to pause it, to resume it and to cancel it. */
export function subscriptionActions(_context: ActionContext, row: SubscriptionRow): ObjectAction[] {
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
