import { ACCEPT_MS } from '../../server/api/in-person/actions/action.machine.ts';
import type { ActionRow } from '../../server/api/in-person/actions/action.records.ts';
import type { SessionState } from '../../server/api/payments/payment-session.machine.ts';
import { actionIdOf, NOW_MS, sessionIdOf } from './fixtures.ts';
import type { Scenario } from './scenarios.ts';

/** What has happened to an action at the server, counted for the properties. */
export interface Tally {
  asked: number;
  authorised: number;
  captured: number;
  voided: number;
  refunded: number;
  /** Whether the point of sale was told that its cancel is accepted, before the money of a refund had moved. */
  cancelled: boolean;
  completed: boolean;
  confirmed: string[];
  /** Whether a payment terminal has had the request, as far as the server knows. */
  atDevice: boolean;
  /** Whether a person has settled the outcome. */
  settled: boolean;
  /** Whether the server has recorded that a person has to look it up, since the action had ended. */
  told: boolean;
}

export interface ServerAction {
  row: ActionRow;
  session: SessionState;
  tally: Tally;
}

export interface ServerState {
  actions: ServerAction[];
}

/** The action in progress; there is at most one on a terminal. */
export function currentAction({ actions }: ServerState): ServerAction | undefined {
  return actions.find(({ row }) => row.status === 'InProgress');
}

const AMOUNT_MINOR = 1_000;

/** An action as the server inserts it. */
export function newAction(index: number, { type, receiptSource }: Scenario): ServerAction {
  const isRefund = type === 'Refund';
  return {
    row: {
      id: actionIdOf(index),
      account_id: 'account',
      terminal_id: 'terminal',
      session_id: sessionIdOf(index),
      type,
      status: 'InProgress',
      phase: 'sent',
      amount_minor: AMOUNT_MINOR,
      currency: 'EUR',
      receipt_source: receiptSource,
      merchant_copy: 'NotRequired',
      customer_copy: 'NotRequired',
      error_code: null,
      error_reason: null,
      refund_platform_fee: 0,
      decision: null,
      receipt: null,
      device_reversals: null,
      deadline_ms: NOW_MS + ACCEPT_MS,
      sent_seq: 0,
      seen_seq: 0,
      created_ms: NOW_MS,
      completed_ms: null,
    },
    session: {
      phase: isRefund ? 'captured' : 'awaitingPayment',
      amountMinor: AMOUNT_MINOR,
      capturedMinor: isRefund ? AMOUNT_MINOR : 0,
      refundedMinor: 0,
      verifyAccount: false,
    },
    tally: {
      asked: 0,
      authorised: 0,
      captured: 0,
      voided: 0,
      refunded: 0,
      cancelled: false,
      completed: false,
      confirmed: [],
      atDevice: false,
      settled: false,
      told: false,
    },
  };
}
