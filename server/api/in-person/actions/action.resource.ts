import { routeFor, type Route } from '../../../platform/http/route.ts';
import type { PaymentServices } from '../../payments/payment-services.ts';
import { terminalById } from '../terminals/terminal.resource.ts';
import { Terminal } from '../terminals/terminal.schema.ts';
import { cancelAction, confirmReceipt, startPayment, startRefund } from './action-service.ts';
import { ReceiptConfirmation, TerminalPayment, TerminalRefund } from './action.schema.ts';

const route = routeFor<PaymentServices>();

const common = {
  tag: 'In-person terminal',
  section: 'Spec §4.12',
  access: 'dashboard',
  accountHeader: true,
  reply: Terminal,
  find: terminalById,
} as const;

const startPaymentRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/payment',
  summary: 'Take a payment. The outcome is sent as events.',
  body: TerminalPayment,
  refusals: [
    'amount_out_of_range',
    'currency_disabled',
    'in_person_not_enabled',
    'fee_without_account',
    'fee_too_large',
    'terminal_busy',
  ],
  handle: ({ services, caller, body, found }) => startPayment(services, caller, found.id, body),
});

const startRefundRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/refund',
  summary: 'Refund an in-person payment, whole or in part',
  body: TerminalRefund,
  refusals: [
    'not_found',
    'refund_not_in_person',
    'refund_not_captured',
    'refund_in_flight',
    'refund_disputed',
    'nothing_left',
    'refund_too_large',
    'no_platform_fee',
    'terminal_busy',
  ],
  handle: ({ services, caller, body, found }) => startRefund(services, caller, found.id, body),
});

const cancelActionRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/cancel-action',
  summary: 'Cancel the action in progress, whether or not the terminal is connected',
  refusals: ['no_action', 'at_payment_terminal'],
  handle: ({ services, found }) => cancelAction(services, found.id),
});

const confirmReceiptRoute = route({
  ...common,
  operation: 'POST /in-person/terminals/{id}/confirm-receipt',
  summary: 'Confirm that the point of sale printed a copy of the receipt, or could not',
  body: ReceiptConfirmation,
  refusals: ['no_action', 'no_copy_named', 'copy_not_required'],
  handle: ({ services, body, found }) => confirmReceipt(services, found.id, body),
});

export const actionRoutes: readonly Route[] = [
  startPaymentRoute,
  startRefundRoute,
  cancelActionRoute,
  confirmReceiptRoute,
];
