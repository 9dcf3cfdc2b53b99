import { assign, setup } from 'xstate';
import { stepsOf, type StableState } from '../../../../protocol/machine-step.ts';
import type { ActionStatus } from '../../../../protocol/messages/action.messages.ts';
import { setBounded } from '../../../platform/bounded-map.ts';
import type { CopyStatus } from './action.schema.ts';
import {
  afterApproval,
  atPaymentTerminal,
  beforeApproval,
  complete,
  confirmCustomerCopy,
  notCompleted,
  toPaymentTerminal,
} from './action-transitions.ts';
import { isOneOf } from '../../../../protocol/tables.ts';

/** How long a terminal has to accept an action (docs/choices.md, Offline). */
export const ACCEPT_MS = 10_000;
/** How long a cardholder has to present a card: the terminal's own deadline, sent with the start. */
export const PRESENT_CARD_MS = 120_000;
/** How long the terminal then waits for a PIN: its own deadline too (docs/choices.md, Deadlines). */
const TYPE_PIN_MS = 60_000;
/** The server's deadline for card and PIN: a minute beyond both, in case the terminal does not report. */
const CARD_PHASE_MS = PRESENT_CARD_MS + TYPE_PIN_MS + 60_000;
/** How long a terminal may print, and how long a copy may wait for its confirmation (docs/choices.md, Receipts). */
const PRINTING_MS = 60_000;
const CONFIRM_COPY_MS = 60_000;
/** How long the outcome of a payment terminal may take before it counts as unknown. */
const DEVICE_OUTCOME_MS = 300_000;

/** Events of an action at the server, from the API, the terminal's reports and the deadlines. */
export type ActionEvent =
  | { type: 'action.accepted' }
  | { type: 'issuer.approved' }
  | { type: 'issuer.declined'; code: string }
  | { type: 'action.completed'; failedCopies: ('merchantCopy' | 'customerCopy')[] }
  | { type: 'action.abandoned'; code: string }
  /** A payment terminal has the request. */
  | { type: 'outcome.pending' }
  | { type: 'outcome.unknown' }
  /** A person has found out what a payment terminal did. */
  | { type: 'outcome.charged' }
  | { type: 'outcome.notCharged' }
  | { type: 'action.cancelled' }
  | { type: 'merchantCopy.confirmed' }
  | { type: 'merchantCopy.failed' }
  | { type: 'customerCopy.confirmed' }
  | { type: 'customerCopy.failed' }
  | { type: 'deadline.passed' };

interface Context {
  payment: boolean;
  pointOfSale: boolean;
  merchantCopy: CopyStatus;
  customerCopy: CopyStatus;
  errorCode: string | null;
}

const machineSetup = setup({
  types: {
    context: {} as Context,
    events: {} as ActionEvent,
    input: {} as Context,
    tags: {} as ActionStatus,
    /** How long an action may stay in a state; absent where it may stay for ever. */
    meta: {} as { waitMs: number },
  },
  guards: {
    isPayment: ({ context }) => context.payment,
    atPointOfSale: ({ context }) => context.pointOfSale,
  },
  actions: {
    // The money, moved in the transaction that writes the step.
    approve: () => {},
    decline: () => {},
    capture: () => {},
    void: () => {},
    refund: () => {},
    failRefund: () => {},
    // Commands to the terminal, sent once the step is durable.
    sendDecision: () => {},
    sendCancel: () => {},
    confirmReceipt: (_args, _params: { copy: 'merchantCopy' | 'customerCopy' }) => {},
    sendEnd: () => {},
    requireMerchantCopy: assign({ merchantCopy: 'Required' }),
    requireCustomerCopy: assign({ merchantCopy: 'Succeeded', customerCopy: 'Required' }),
    completeCustomerCopy: assign({ customerCopy: 'Succeeded' }),
    // A required copy that is not confirmed in time has failed.
    failOpenCopies: assign({
      merchantCopy: ({ context }) => (context.merchantCopy === 'Required' ? 'Failed' : context.merchantCopy),
      customerCopy: ({ context }) => (context.customerCopy === 'Required' ? 'Failed' : context.customerCopy),
    }),
    failPrintedCopies: assign(({ event }) => {
      const failed = event.type === 'action.completed' ? event.failedCopies : [];
      return Object.fromEntries(failed.map((copy) => [copy, 'Failed']));
    }),
    setReportedErrorCode: assign({
      errorCode: ({ event }) => ('code' in event ? event.code : 'unexpected_error'),
    }),
    setErrorCode: assign({ errorCode: (_, params: { code: string }) => params.code }),
  },
});

/** State machine of an action at the server, which decides about the money (Spec §3, §4.12). */
export const actionMachine = machineSetup.createMachine({
  id: 'serverAction',
  initial: 'sent',
  context: ({ input }) => input,
  states: {
    sent: {
      tags: 'InProgress',
      meta: { waitMs: ACCEPT_MS },
      on: {
        ...beforeApproval,
        ...toPaymentTerminal,
        'action.accepted': 'awaitingCard',
        'deadline.passed': {
          target: 'failed',
          actions: { type: 'setErrorCode', params: { code: 'terminal_offline' } },
        },
      },
    },
    awaitingCard: {
      tags: 'InProgress',
      meta: { waitMs: CARD_PHASE_MS },
      on: {
        ...beforeApproval,
        ...toPaymentTerminal,
        'deadline.passed': {
          target: 'failed',
          actions: { type: 'setErrorCode', params: { code: 'timeout' } },
        },
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
      meta: { waitMs: PRINTING_MS },
      on: { ...afterApproval, 'action.completed': complete, 'deadline.passed': notCompleted('timeout') },
    },
    awaitingMerchantCopy: {
      tags: 'InProgress',
      meta: { waitMs: CONFIRM_COPY_MS },
      on: {
        ...afterApproval,
        'merchantCopy.confirmed': {
          target: 'awaitingCustomerCopy',
          actions: ['requireCustomerCopy', { type: 'confirmReceipt', params: { copy: 'merchantCopy' } }],
        },
        'merchantCopy.failed': notCompleted('receipt_failed'),
        'deadline.passed': notCompleted('receipt_not_confirmed'),
      },
    },
    awaitingCustomerCopy: {
      tags: 'InProgress',
      meta: { waitMs: CONFIRM_COPY_MS },
      on: {
        ...afterApproval,
        'customerCopy.confirmed': [
          {
            guard: 'isPayment',
            target: 'succeeded',
            actions: ['completeCustomerCopy', 'capture', confirmCustomerCopy],
          },
          { target: 'succeeded', actions: ['completeCustomerCopy', confirmCustomerCopy] },
        ],
        'customerCopy.failed': notCompleted('receipt_failed'),
        'deadline.passed': notCompleted('receipt_not_confirmed'),
      },
    },
    atDevice: {
      tags: 'InProgress',
      meta: { waitMs: DEVICE_OUTCOME_MS },
      on: {
        ...atPaymentTerminal,
        'outcome.unknown': 'outcomeUnknown',
        'deadline.passed': 'outcomeUnknown',
      },
    },
    outcomeUnknown: {
      tags: 'InProgress',
      on: {
        ...atPaymentTerminal,
        'outcome.charged': [
          { guard: 'isPayment', target: 'succeeded', actions: ['approve', 'capture'] },
          { target: 'succeeded', actions: 'refund' },
        ],
        'outcome.notCharged': {
          target: 'failed',
          actions: { type: 'setErrorCode', params: { code: 'unexpected_error' } },
        },
      },
    },
    succeeded: { type: 'final', tags: 'Succeeded', entry: 'sendEnd' },
    failed: { type: 'final', tags: 'Failed', entry: 'sendEnd' },
    cancelled: { type: 'final', tags: 'Cancelled', entry: 'sendEnd' },
  },
});

const TRANSIENT = ['approved'] as const;

/** State of an action at the server. */
export type Phase = StableState<typeof actionMachine, (typeof TRANSIENT)[number]>;

/** Returns how long an action may stay in a state; null for ever. */
export function waitMsIn(phase: Phase): number | null {
  return actionMachine.states[phase]?.meta?.waitMs ?? null;
}

const step = stepsOf(actionMachine, {
  transient: TRANSIENT,
  effects: [
    'approve',
    'decline',
    'capture',
    'void',
    'refund',
    'failRefund',
    'sendDecision',
    'sendCancel',
    'confirmReceipt',
    'sendEnd',
  ],
});

type ActionStep = NonNullable<ReturnType<typeof step>>;
export type ActionEffect = ActionStep['effects'][number];

const MONEY_EFFECTS = ['approve', 'decline', 'capture', 'void', 'refund', 'failRefund'] as const;
export type MoneyEffect = (typeof MONEY_EFFECTS)[number];

/** Returns whether an effect of a step moves money; all others are commands to the terminal. */
export function isMoneyEffect(effect: ActionEffect): effect is Extract<ActionEffect, { type: MoneyEffect }> {
  return isOneOf(MONEY_EFFECTS, effect.type);
}

/** Steps that were taken, to take none twice: the machine is pure, and actions are in few states. */
const taken = new Map<string, ActionStep | undefined>();
const TAKEN_MAX = 500;

/** What the machine looks at of an action. */
interface SteppedAction {
  type: 'Payment' | 'Refund';
  phase: Phase;
  receipt_source: 'Terminal' | 'PointOfSale';
  merchant_copy: CopyStatus;
  customer_copy: CopyStatus;
  error_code: string | null;
}

/** Returns the step that an event makes from the state of an action; undefined when the event changes nothing there. */
export function actionStep(row: SteppedAction, event: ActionEvent): Readonly<ActionStep> | undefined {
  const context = {
    payment: row.type === 'Payment',
    pointOfSale: row.receipt_source === 'PointOfSale',
    merchantCopy: row.merchant_copy,
    customerCopy: row.customer_copy,
    errorCode: row.error_code,
  };
  const before = { state: row.phase, context };
  const key = JSON.stringify([before, event]);
  if (!taken.has(key)) setBounded(taken, TAKEN_MAX, key, step(before, event));
  return taken.get(key);
}
