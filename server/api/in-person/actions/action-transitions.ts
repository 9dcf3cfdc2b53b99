// Transitions that several states of action.machine.ts share.

/** Before an approval an action ends without a void. */
export const beforeApproval = {
  'issuer.declined': [
    { guard: 'isPayment', target: 'failed', actions: ['setReportedErrorCode', 'decline', 'sendDecision'] },
    { target: 'failed', actions: ['setReportedErrorCode', 'failRefund', 'sendDecision'] },
  ],
  'issuer.approved': [
    { guard: 'isPayment', target: 'approved', actions: ['approve', 'sendDecision'] },
    { target: 'approved', actions: ['refund', 'sendDecision'] },
  ],
  'action.abandoned': { target: 'failed', actions: 'setReportedErrorCode' },
  'action.cancelled': { target: 'cancelled', actions: 'sendCancel' },
} as const;

/** A request that a payment terminal has: neither a cancel nor a time-out ends it. */
const { 'action.cancelled': _cannotCancel, ...byReport } = beforeApproval;
export const atPaymentTerminal = byReport;

/** How a payment terminal comes to have the request. */
export const toPaymentTerminal = {
  'outcome.pending': 'atDevice',
  'outcome.unknown': 'outcomeUnknown',
} as const;

/** An approved payment that does not complete is voided; a refund has moved its money and stays (Spec §4.12). */
export function notCompleted(code: string) {
  return [
    {
      guard: 'isPayment',
      target: 'failed',
      actions: ['failOpenCopies', { type: 'setErrorCode', params: { code } }, 'void'],
    },
    { target: 'succeeded', actions: 'failOpenCopies' },
  ] as const;
}

/** Once it is approved, what ends an action gives the money of a payment back. */
export const afterApproval = {
  'action.cancelled': [
    { guard: 'isPayment', target: 'cancelled', actions: ['failOpenCopies', 'void', 'sendCancel'] },
    { target: 'succeeded', actions: ['failOpenCopies', 'sendCancel'] },
  ],
  'action.abandoned': [
    { guard: 'isPayment', target: 'failed', actions: ['failOpenCopies', 'setReportedErrorCode', 'void'] },
    { target: 'succeeded', actions: 'failOpenCopies' },
  ],
} as const;

/** Confirms the customer copy to the terminal. */
export const confirmCustomerCopy = { type: 'confirmReceipt', params: { copy: 'customerCopy' } } as const;

/** The end of an action whose receipt is printed. */
export const complete = [
  { guard: 'isPayment', target: 'succeeded', actions: ['failPrintedCopies', 'capture'] },
  { target: 'succeeded', actions: 'failPrintedCopies' },
] as const;
