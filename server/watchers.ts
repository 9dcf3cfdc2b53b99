import { watchVerifications } from './accounts/verification-check.ts';
import { watchDisputes } from './disputes/disputes.ts';
import { registerDelivery } from './events/delivery.ts';
import { watchDeadlines } from './in-person/action-deadlines.ts';
import { listenToTerminals } from './in-person/action-reports.ts';
import { watchConversions } from './ledger/conversions.ts';
import { watchSessions } from './payments/session-jobs.ts';
import { watchAutomaticPayouts } from './payouts/automatic-payouts.ts';
import { watchPayouts } from './payouts/payouts.ts';
import { watchRetention } from './retention/retention.ts';
import type { Services } from './services.ts';
import { billSubscriptions } from './subscriptions/billing.ts';

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
