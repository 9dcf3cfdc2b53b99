import { watchVerifications } from './api/accounts/verification-check.ts';
import { watchDisputes } from './api/disputes/disputes.ts';
import { registerDelivery } from './platform/outbox/delivery.ts';
import { watchDeadlines } from './api/in-person/action-deadlines.ts';
import { listenToTerminals } from './api/in-person/action-reports.ts';
import { watchConversions } from './api/ledger/conversions.ts';
import { watchSessions } from './api/payments/session-jobs.ts';
import { watchAutomaticPayouts } from './api/payouts/automatic-payouts.ts';
import { watchPayouts } from './api/payouts/payouts.ts';
import { watchRetention } from './api/retention/retention.ts';
import type { Services } from './platform/services.ts';
import { billSubscriptions } from './api/subscriptions/billing.ts';

/** Sets up what goes on without a request: due work, reports of terminals, deliveries. Nothing runs before `start`. */
export function watchAll(services: Services): void {
  registerDelivery(services);
  watchDeadlines(services);
  watchSessions(services);
  watchConversions(services);
  watchPayouts(services);
  watchAutomaticPayouts(services);
  watchDisputes(services);
  billSubscriptions(services);
  watchVerifications(services);
  watchRetention(services);
  listenToTerminals(services);
}
