import { expect } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import type { Json } from '../kit/http-call.ts';
import { race, refusalsOf, succeeded, type Race, type RacedRequest } from './race.ts';
import type { RacingShop } from './racing-shop.ts';
import { replay, type Rules } from './rules.ts';
import { sessionRules, type SessionState } from './session-rules.ts';

const BUSY = '409 the terminal has an action in progress: cancel it, or wait for it to end';
const NO_ACTION = '400 the terminal has no action in progress';

const pathOf = (terminalId: string) => `/v1/in-person/terminals/${terminalId}`;
const payment = (amount: number) => ({ amounts: { requested: amount }, currency: 'GBP' });

interface ActionHistory {
  id: string;
  sessionId: string;
  amount: number;
  /** Its statuses by the events of the terminal. */
  statuses: string[];
}

/**
 * Waits until a terminal has no action in progress, and returns its actions since the last round, the oldest first. One begins
 * after the one before has ended.
 */
async function actionsOf(shop: RacingShop, terminalId: string): Promise<ActionHistory[]> {
  await waitFor('the action to end', async () => {
    const { action } = await shop.good('GET', pathOf(terminalId));
    return action.status !== 'InProgress';
  });
  const events = await shop.eventsOf(({ id }) => id === terminalId);
  const histories: ActionHistory[] = [];
  for (const { data } of events) {
    const { id, status, transaction } = data.action;
    if (histories.at(-1)?.id !== id) {
      const { paymentSessionId: sessionId, amounts } = transaction;
      histories.push({ id, sessionId, amount: amounts.requested, statuses: [] });
    }
    histories.at(-1)!.statuses.push(status);
  }
  expect(new Set(histories.map(({ id }) => id)).size).toBe(histories.length);
  for (const { statuses } of histories) {
    expect(statuses[0]).toBe('InProgress');
    expect(statuses.filter((status) => status !== 'InProgress')).toEqual([statuses.at(-1)]);
  }
  return histories;
}

/** What the payment of an action may have moved, by how the action ended (docs/choices/in-person.md). */
const MOVEMENTS: Record<string, string[]> = {
  Succeeded: ['Captured Authorization Capture'],
  Cancelled: ['PendingPayment', 'Voided Authorization Void'],
  Failed: ['PendingPayment', 'Voided Authorization Void'],
};

async function checkPayments(shop: RacingShop, actions: readonly ActionHistory[]): Promise<void> {
  for (const { sessionId, amount, statuses } of actions) {
    const session = await shop.good('GET', `/v1/payment-sessions/${sessionId}`);
    const movements = await shop.all(`/v1/payment-sessions/${sessionId}/transactions`);
    const seen = [session.status, ...movements.map(({ type }) => type)].join(' ');
    expect(MOVEMENTS[statuses.at(-1)!]).toContain(seen);
    expect(movements.map((each) => each.amount)).toEqual(movements.map(() => amount));
  }
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id).toSorted();
const actionIds = (raced: readonly { body: Json }[]) => idsOf(raced.map(({ body }) => body.action));

const starts = race('payments at one terminal', async (shop, count) => {
  const [terminalId] = shop.terminals as [string];
  const path = `${pathOf(terminalId)}/payment`;
  return {
    requests: Array.from({ length: count }, (_, nth) => ({
      method: 'POST' as const,
      path,
      body: payment(1_000 + 10 * nth),
    })),
    async check(raced) {
      const actions = await actionsOf(shop, terminalId);
      expect(idsOf(actions)).toEqual(actionIds(succeeded(raced)));
      expect(new Set(actions.map(({ statuses }) => statuses.at(-1)))).toEqual(new Set(['Succeeded']));
      expect(refusalsOf(raced)).toEqual([BUSY]);
      await checkPayments(shop, actions);
    },
  };
});

const cancels = race('cancels of an action against its report and other payments', async (shop, count) => {
  const [terminalId] = shop.terminals as [string];
  const path = pathOf(terminalId);
  const { action } = await shop.good('POST', `${path}/payment`, payment(2_000));
  const isCancel = ({ path: to }: RacedRequest) => to.endsWith('cancel-action');
  return {
    requests: Array.from({ length: count }, (_, nth) =>
      nth % 3 === 0
        ? { method: 'POST' as const, path: `${path}/payment`, body: payment(1_000 + 10 * nth) }
        : { method: 'POST' as const, path: `${path}/cancel-action` },
    ),
    async check(raced) {
      const actions = await actionsOf(shop, terminalId);
      const cancelling = raced.filter(({ request }) => isCancel(request));
      const paying = raced.filter(({ request }) => !isCancel(request));
      expect(idsOf(actions)).toEqual([...actionIds(succeeded(paying)), action.id].toSorted());
      const cancelled = actions.filter(({ statuses }) => statuses.at(-1) === 'Cancelled');
      expect(actionIds(succeeded(cancelling))).toEqual(idsOf(cancelled));
      expect(refusalsOf(cancelling).filter((refusal) => refusal !== NO_ACTION)).toEqual([]);
      expect(refusalsOf(paying).filter((refusal) => refusal !== BUSY)).toEqual([]);
      await checkPayments(shop, actions);
    },
  };
});

const deadlines = race('cancels of an action against its deadline', async (shop, count) => {
  const body = { serialNumber: `TILL-${1000 + shop.next()}`, locationId: shop.locationId };
  // Nobody runs it, so that its action waits for the deadline.
  const { id } = await shop.good('POST', '/v1/in-person/terminals', body);
  const path = pathOf(id);
  await shop.good('POST', `${path}/payment`, payment(1_000));
  const isCancel = ({ path: to }: RacedRequest) => to.endsWith('cancel-action');
  return {
    requests: Array.from({ length: count }, (_, nth) =>
      nth % 10 === 0
        ? { method: 'POST' as const, path: '/sandbox/clock/advance', body: { seconds: 11 } }
        : { method: 'POST' as const, path: `${path}/cancel-action` },
    ),
    async check(raced) {
      const actions = await actionsOf(shop, id);
      const cancelled = succeeded(raced).filter(({ request }) => isCancel(request));
      const [{ statuses }] = actions as [ActionHistory];
      expect([actions.length, ...statuses]).toEqual([
        1,
        'InProgress',
        cancelled.length === 1 ? 'Cancelled' : 'Failed',
      ]);
      expect(cancelled.length).toBeLessThanOrEqual(1);
      expect(refusalsOf(raced).filter((refusal) => refusal !== NO_ACTION)).toEqual([]);
      await checkPayments(shop, actions);
      await shop.good('DELETE', path);
    },
  };
});

type RefundStep = { what: 'refund'; amount: number } | { what: 'begin' } | { what: 'end' };

/** Refunds of a session; while one is in flight at a terminal, there is no other (section 2.2 of the specification). */
const refundRules: Rules<SessionState & { inFlight: boolean }, RefundStep> = (state, request) => {
  if (request.what === 'end') return { after: { ...state, inFlight: false } };
  if (state.inFlight)
    return { refused: '400 another refund of this payment is in progress: wait for it to end' };
  if (request.what === 'begin') return { after: { ...state, inFlight: true } };
  const step = sessionRules(state, request);
  return 'after' in step ? { after: { ...step.after, inFlight: false } } : step;
};

const refunds = race<RacedRequest & { wants: { what: 'refund'; amount: number } }>(
  'refunds at the terminal against online refunds',
  async (shop, count) => {
    const [terminalId] = shop.terminals as [string];
    const amount = 10_000;
    const { action } = await shop.good('POST', `${pathOf(terminalId)}/payment`, payment(amount));
    await actionsOf(shop, terminalId);
    const id = action.transaction.paymentSessionId;
    const session = `/v1/payment-sessions/${id}`;
    const before = (await shop.balance(shop.platformId)).total;
    const requests = Array.from({ length: count }, (_, nth) => {
      const wants = { what: 'refund' as const, amount: 500 * (1 + (nth % 3)) };
      const method = 'POST' as const;
      return nth % 2 === 0
        ? { method, path: `${session}/refunds`, body: { amount: wants.amount }, wants }
        : {
            method,
            path: `${pathOf(terminalId)}/refund`,
            body: { amount: wants.amount, paymentSession: { id } },
            wants,
          };
    });
    return {
      requests,
      async check(raced) {
        const begun = succeeded(raced).filter(({ status }) => status === 200);
        const actions = begun.length === 0 ? [] : await actionsOf(shop, terminalId);
        expect(idsOf(actions)).toEqual(actionIds(begun));
        expect(actions.map(({ statuses }) => statuses.at(-1))).toEqual(actions.map(() => 'Succeeded'));
        const movements = (await shop.all(`${session}/transactions`)).slice(2);
        const online = new Set(raced.map(({ body }) => body.id));
        expect(movements).toHaveLength(succeeded(raced).length);
        const atTerminal = movements.filter((movement) => !online.has(movement.id));
        expect(atTerminal.map((each) => each.amount)).toEqual(actions.map((each) => each.amount));
        const steps = movements.flatMap((movement): RefundStep[] => {
          const refund = { what: 'refund' as const, amount: movement.amount as number };
          return online.has(movement.id) ? [refund] : [refund, { what: 'begin' }, { what: 'end' }];
        });
        const refused = raced.flatMap(({ request: { wants: request }, refusal }) =>
          refusal === undefined ? [] : [{ request, refusal }],
        );
        const start = { status: 'Captured' as const, amount, captured: amount, refunded: 0, disputed: 0 };
        const { end, wrong } = replay(refundRules, { ...start, inFlight: false }, steps, refused);
        expect(wrong).toEqual([]);
        expect((await shop.good('GET', session)).refundedAmount).toBe(end.refunded);
        expect((await shop.balance(shop.platformId)).total - before).toBe(-end.refunded);
      },
    };
  },
);

export const TERMINAL_RACES: readonly Race[] = [starts, cancels, deadlines, refunds];
