import { assign, setup, transition, type SnapshotFrom } from 'xstate';
import type { ActionRow, Phase } from './action.records.ts';
import type { CopyStatus } from './action.schema.ts';

/** Facts that move an action at the server, whoever reports them. */
export type ActionFact =
  | { type: 'action.accepted' }
  | { type: 'issuer.approved' }
  | { type: 'issuer.declined'; code: string }
  | { type: 'action.completed'; failedCopies: ('merchantCopy' | 'customerCopy')[] }
  | { type: 'action.abandoned'; code: string }
  | { type: 'action.cancelled' }
  | { type: 'merchantCopy.confirmed' }
  | { type: 'merchantCopy.failed' }
  | { type: 'customerCopy.confirmed' }
  | { type: 'customerCopy.failed' }
  | { type: 'deadline.passed' };

/** What a step does to the money; done in the transaction that writes the step. */
export type MoneyEffect = 'approve' | 'decline' | 'capture' | 'void' | 'refund' | 'refuseRefund';

interface Context {
  payment: boolean;
  pointOfSale: boolean;
  merchantCopy: CopyStatus;
  customerCopy: CopyStatus;
  errorCode: string | null;
}

const machineSetup = setup({
  types: { context: {} as Context, events: {} as ActionFact, input: {} as Context },
  guards: {
    isPayment: ({ context }) => context.payment,
    atPointOfSale: ({ context }) => context.pointOfSale,
  },
  actions: {
    approve: () => {},
    decline: () => {},
    capture: () => {},
    void: () => {},
    refund: () => {},
    refuseRefund: () => {},
    requireMerchantCopy: assign({ merchantCopy: 'Required' }),
    requireCustomerCopy: assign({ merchantCopy: 'Succeeded', customerCopy: 'Required' }),
    customerCopyDone: assign({ customerCopy: 'Succeeded' }),
    // A copy that was waited for and did not come is a copy that failed.
    failOpenCopies: assign({
      merchantCopy: ({ context }) => (context.merchantCopy === 'Required' ? 'Failed' : context.merchantCopy),
      customerCopy: ({ context }) => (context.customerCopy === 'Required' ? 'Failed' : context.customerCopy),
    }),
    failPrintedCopies: assign(({ event }) => {
      const failed = event.type === 'action.completed' ? event.failedCopies : [];
      return Object.fromEntries(failed.map((copy) => [copy, 'Failed'])) as Partial<Context>;
    }),
    noteReportedCode: assign({
      errorCode: ({ event }) => ('code' in event ? event.code : 'unexpected_error'),
    }),
    noteCode: assign({ errorCode: (_, params: { code: string }) => params.code }),
  },
});

/** Before anything was approved an action just ends. */
const beforeApproval = {
  'issuer.declined': [
    { guard: 'isPayment', target: 'failed', actions: ['noteReportedCode', 'decline'] },
    { target: 'failed', actions: ['noteReportedCode', 'refuseRefund'] },
  ],
  'issuer.approved': [
    { guard: 'isPayment', target: 'approved', actions: 'approve' },
    { target: 'approved', actions: 'refund' },
  ],
  'action.abandoned': { target: 'failed', actions: 'noteReportedCode' },
  'action.cancelled': 'cancelled',
} as const;

/** An approved payment that does not complete is voided; a refund has moved its money and stays (Spec §4.12). */
function notCompleted(code: string) {
  return [
    {
      guard: 'isPayment',
      target: 'failed',
      actions: ['failOpenCopies', { type: 'noteCode', params: { code } }, 'void'],
    },
    { target: 'succeeded', actions: 'failOpenCopies' },
  ] as const;
}

const afterApproval = {
  'action.cancelled': [
    { guard: 'isPayment', target: 'cancelled', actions: ['failOpenCopies', 'void'] },
    { target: 'succeeded', actions: 'failOpenCopies' },
  ],
  'action.abandoned': [
    { guard: 'isPayment', target: 'failed', actions: ['failOpenCopies', 'noteReportedCode', 'void'] },
    { target: 'succeeded', actions: 'failOpenCopies' },
  ],
} as const;

const complete = [
  { guard: 'isPayment', target: 'succeeded', actions: ['failPrintedCopies', 'capture'] },
  { target: 'succeeded', actions: 'failPrintedCopies' },
] as const;

/** An action as the server, who has the last word on money, sees it (Spec §3, §4.12). */
export const actionMachine = machineSetup.createMachine({
  id: 'serverAction',
  initial: 'sent',
  context: ({ input }) => input,
  states: {
    sent: {
      tags: 'InProgress',
      on: {
        ...beforeApproval,
        'action.accepted': 'awaitingCard',
        'deadline.passed': {
          target: 'failed',
          actions: { type: 'noteCode', params: { code: 'terminal_offline' } },
        },
      },
    },
    awaitingCard: {
      tags: 'InProgress',
      on: {
        ...beforeApproval,
        'deadline.passed': { target: 'failed', actions: { type: 'noteCode', params: { code: 'timeout' } } },
      },
    },
    approved: {
      tags: 'InProgress',
      always: [
        { guard: 'atPointOfSale', target: 'awaitingMerchantCopy', actions: 'requireMerchantCopy' },
        { target: 'printing' },
      ],
    },
    printing: {
      tags: 'InProgress',
      on: { ...afterApproval, 'action.completed': complete, 'deadline.passed': notCompleted('timeout') },
    },
    awaitingMerchantCopy: {
      tags: 'InProgress',
      on: {
        ...afterApproval,
        'merchantCopy.confirmed': { target: 'awaitingCustomerCopy', actions: 'requireCustomerCopy' },
        'merchantCopy.failed': notCompleted('receipt_failed'),
        'deadline.passed': notCompleted('receipt_not_confirmed'),
      },
    },
    awaitingCustomerCopy: {
      tags: 'InProgress',
      on: {
        ...afterApproval,
        'customerCopy.confirmed': [
          { guard: 'isPayment', target: 'succeeded', actions: ['customerCopyDone', 'capture'] },
          { target: 'succeeded', actions: 'customerCopyDone' },
        ],
        'customerCopy.failed': notCompleted('receipt_failed'),
        'deadline.passed': notCompleted('receipt_not_confirmed'),
      },
    },
    succeeded: { type: 'final', tags: 'Succeeded' },
    failed: { type: 'final', tags: 'Failed' },
    cancelled: { type: 'final', tags: 'Cancelled' },
  },
});

const MONEY_EFFECTS: readonly string[] = [
  'approve',
  'decline',
  'capture',
  'void',
  'refund',
  'refuseRefund',
] satisfies MoneyEffect[];

export interface Step {
  phase: Phase;
  status: ActionRow['status'];
  merchantCopy: CopyStatus;
  customerCopy: CopyStatus;
  errorCode: string | null;
  effects: MoneyEffect[];
}

/** The step that a fact makes from where the action stands; undefined when the fact changes nothing there. */
export function stepOf(row: ActionRow, fact: ActionFact): Step | undefined {
  const before = actionMachine.resolveState({
    value: row.phase,
    context: {
      payment: row.type === 'Payment',
      pointOfSale: row.receipt_source === 'PointOfSale',
      merchantCopy: row.merchant_copy,
      customerCopy: row.customer_copy,
      errorCode: row.error_code,
    },
  });
  if (!before.can(fact)) return undefined;
  const [after, actions] = transition(actionMachine, before, fact);
  return {
    phase: after.value as Phase,
    status: statusOf(after),
    merchantCopy: after.context.merchantCopy,
    customerCopy: after.context.customerCopy,
    errorCode: after.context.errorCode,
    effects: actions
      .map(({ type }) => type)
      .filter((type): type is MoneyEffect => MONEY_EFFECTS.includes(type)),
  };
}

function statusOf(snapshot: SnapshotFrom<typeof actionMachine>): ActionRow['status'] {
  const [tag] = snapshot.tags;
  return tag as ActionRow['status'];
}
