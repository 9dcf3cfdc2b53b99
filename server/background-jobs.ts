import { registerVerificationJobs } from './api/accounts/verification-check.ts';
import { registerDisputeHandlers } from './api/disputes/disputes.ts';
import { registerDelivery } from './platform/outbox/delivery.ts';
import { registerActionDeadlines } from './api/in-person/actions/action-deadlines.ts';
import { handleTerminalReports } from './api/in-person/reports/action-reports.ts';
import { registerConversionJobs } from './api/ledger/conversions.ts';
import { registerSessionJobs } from './api/payments/session-jobs.ts';
import { registerPayoutJobs, registerAutomaticPayoutJobs } from './api/payouts/payouts.ts';
import { registerRetentionJobs } from './api/retention/retention.ts';
import { registerBilling } from './api/subscriptions/billing.ts';
import type { PaymentServices } from './api/payments/payment-services.ts';

/** Registers all job handlers, subscribers and terminal reports. Nothing runs before the scheduler starts. */
export function registerBackgroundJobs(services: PaymentServices): void {
  registerDelivery(services);
  registerActionDeadlines(services);
  registerSessionJobs(services);
  registerConversionJobs(services);
  registerPayoutJobs(services);
  registerAutomaticPayoutJobs(services);
  registerDisputeHandlers(services);
  registerBilling(services);
  registerVerificationJobs(services);
  registerRetentionJobs(services);
  handleTerminalReports(services);
}
