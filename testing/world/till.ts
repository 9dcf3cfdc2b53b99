import type { Agent } from '../../agent/agent.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { Type } from '../../protocol/schema.ts';
import { successOf, type Answer, type Api } from './api.ts';
import { optionsChecker } from './checked-options.ts';
import type { World } from './world.ts';
import { ACTION_MACHINE } from '../../agent/inspection.ts';
import type { DescribedState } from '../../protocol/machine-shape.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

export interface PayOptions {
  currency?: string;
  receipts?: 'Terminal' | 'PointOfSale';
  paymentSession?: object;
}

const checkPayOptions = optionsChecker<PayOptions>('pay', {
  currency: Type.Optional(Type.String()),
  receipts: Type.Optional(Type.Enum(['Terminal', 'PointOfSale'])),
  paymentSession: Type.Optional(Type.Object({})),
});

/** The part of a terminal that a till uses. */
export interface TillTerminal {
  readonly terminalId: string;
  readonly status: Agent['status'];
  /** The language of the stand-alone payment terminal beside it; undefined for none. */
  readonly language?: string | undefined;
  perform(act: SimulationAct): unknown;
}

/** A point of sale with one terminal, with the API calls of a shop. */
export interface Till<T extends TillTerminal = SimulatedTerminal> {
  terminal: T;
  pay(amountMinor: number, options?: PayOptions): Promise<Answer>;
  refund(
    sessionId: string,
    options?: { amount?: number; refundPlatformFee?: boolean; receipts?: string },
  ): Promise<Answer>;
  cancel(): Promise<Answer>;
  confirm(copies: object): Promise<Answer>;
  /** Returns the terminal's latest action as the API shows it. */
  action(): Promise<Json>;
  session(id: string): Promise<Json>;
  /** Returns the types of a session's successful transactions, oldest first. */
  movements(sessionId: string): Promise<string[]>;
  /**
   * Waits until the terminal's machine is in a state, named by a part of its dotted path.
   * @throws Error for a name that no state has, and when the world is idle in another state
   */
  reaches(state: string): Promise<void>;
  /** Takes a payment with a tapped card to its end. Returns its session. */
  takes(amountMinor: number, options?: PayOptions): Promise<Json>;
}

export function openTill<T extends TillTerminal>(world: World, terminal: T, accountId?: string): Till<T> {
  const api: Api = accountId ? world.api.as(accountId) : world.api;
  const path = `/v1/in-person/terminals/${terminal.terminalId}`;
  const progress = followProgress(world, terminal.terminalId);
  const till: Till<T> = {
    terminal,
    async pay(amountMinor, options = {}) {
      checkPayOptions(options);
      const { currency = 'GBP', receipts, paymentSession } = options;
      return api.post(`${path}/payment`, {
        amounts: { requested: amountMinor },
        currency,
        ...(paymentSession && { paymentSession }),
        ...(receipts && { settings: { receiptPrintingSource: receipts } }),
      });
    },
    refund: (sessionId, { receipts, ...rest } = {}) =>
      api.post(`${path}/refund`, {
        paymentSession: { id: sessionId },
        ...rest,
        ...(receipts && { settings: { receiptPrintingSource: receipts } }),
      }),
    cancel: () => api.post(`${path}/cancel-action`),
    confirm: (copies) => api.post(`${path}/confirm-receipt`, copies),
    action: async () => (await api.get(path)).body.action,
    async session(id) {
      const sessionPath = `/v1/payment-sessions/${id}`;
      return successOf(await api.get(sessionPath), `GET ${sessionPath}`);
    },
    async movements(sessionId) {
      const listPath = `/v1/payment-sessions/${sessionId}/transactions?ascending=true&limit=50`;
      const { items } = successOf(await api.get(listPath), `GET ${listPath}`);
      return items.filter((item: Json) => item.status === 'Succeeded').map(({ type }: Json) => type);
    },
    async reaches(state) {
      assertState(state);
      await world.until(
        () => `the terminal is ${state}. ${progress()}`,
        () => terminal.status.state?.split('.').includes(state),
      );
    },
    async takes(amountMinor, options) {
      const { action } = successOf(await till.pay(amountMinor, options), `POST ${path}/payment`);
      if (terminal.language === undefined) await till.reaches('awaitingCard');
      terminal.perform({ act: 'present-card', card: 'visa-contactless' });
      await world.settled();
      // A stand-alone terminal asks its bank, which takes time.
      const isBusy = () => terminal.language !== undefined && terminal.status.actionId !== undefined;
      for (let seconds = 0; isBusy() && seconds < TAKES_SECONDS_MAX; seconds += 1)
        await world.advance({ seconds: 1 });
      return till.session(action.transaction.paymentSessionId);
    },
  };
  return till;
}

/** Longer than a payment at a stand-alone terminal takes. */
const TAKES_SECONDS_MAX = 30;

const STATES = [...new Set(namesOf(ACTION_MACHINE.definition))];

function namesOf({ states = {} }: DescribedState): string[] {
  return Object.entries(states).flatMap(([name, state]) => [name, ...namesOf(state)]);
}

/** @throws Error for a name that no state of a terminal's machine has */
function assertState(name: string): void {
  if (STATES.includes(name)) return;
  throw new Error(`a terminal has no state '${name}'; its states are: ${STATES.join(', ')}`);
}

/**
 * Follows the machine of a terminal. Returns a function that describes its way through the latest action and what the
 * world has next, for the message of a wait that fails.
 */
function followProgress({ watchSteps, clock }: World, terminalId: string): () => string {
  let states: string[] = [];
  watchSteps((step) => {
    if (step.terminalId !== terminalId) return;
    if (step.from === null) states = [];
    states.push(step.state);
  });

  return () => {
    const place =
      states.length === 0
        ? 'The terminal has had no action.'
        : `It is in ${states.at(-1)}, by way of: ${states.join(' → ')}.`;
    const [dueMs] = clock.due;
    const next =
      dueMs === undefined
        ? 'Nothing is scheduled.'
        : `The next scheduled call is due in ${(dueMs - clock.nowMs()) / 1000} s of virtual time.`;
    return `${place} ${next}`;
  };
}
