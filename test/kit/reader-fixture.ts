import { addReaderTerminal, cardFor, type ReaderOptions, type ReaderTerminal } from './reader-terminal.ts';
import type { Answer } from './api.ts';
import type { PayOptions, Till } from './till.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

// A serial line wants small steps, a deadline that nobody meets large ones.
const STEP_MS = { first: 50, longest: 1_000 };
const STEP_GROWTH = 1.1;
const PATIENCE_MS = 30_000;

/** A shop whose one terminal takes cards by a driver, at a twin. */
export interface ReaderFixture {
  readonly world: World;
  readonly till: Till<ReaderTerminal>;
  readonly terminal: ReaderTerminal;
  /** Lets time go on in small steps, as a serial line needs, until there is something to see. */
  soon<T>(what: string, look: () => T | Promise<T>, patienceMs?: number): Promise<NonNullable<T>>;
  /** The terminal's machine is in a state, named by any part of its dotted path. */
  is(state: string): Promise<void>;
  /** The action as the API shows it, once it has ended. */
  ended(patienceMs?: number): Promise<Json>;
  /** Asks for a payment and holds a card to the reader; answers the start of the payment. */
  pays(amountMinor: number, card: string, options?: PayOptions): Promise<Answer>;
  hold(card: string): void;
  close(): Promise<void>;
}

export async function openReaderFixture(
  options: ReaderOptions & { world?: WorldOptions },
): Promise<ReaderFixture> {
  const world = await startWorld(options.world);
  const till = await addReaderTerminal(world, options);
  const { terminal } = till;

  const shop: ReaderFixture = {
    world,
    till,
    terminal,
    async soon(what, look, patienceMs = PATIENCE_MS) {
      const untilMs = world.clock.nowMs() + patienceMs;
      for (let stepMs = STEP_MS.first; world.clock.nowMs() <= untilMs; stepMs *= STEP_GROWTH) {
        const seen = await look();
        if (seen) return seen;
        await world.advance({ ms: Math.min(Math.ceil(stepMs), STEP_MS.longest) });
      }
      throw new Error(`not within ${patienceMs} ms: ${what}; the terminal is ${terminal.status.state}`);
    },
    async is(state) {
      await shop.soon(state, () => terminal.status.state?.split('.').includes(state));
    },
    ended: (patienceMs) =>
      shop.soon(
        'the end of the action',
        async () => {
          const action = await till.action();
          return action.status === 'InProgress' || terminal.status.actionId ? undefined : action;
        },
        patienceMs,
      ),
    async pays(amountMinor, card, payOptions) {
      const started = await till.pay(amountMinor, payOptions);
      await shop.is('awaitingCard');
      shop.hold(card);
      return started;
    },
    hold: (card) => terminal.tray.insert(cardFor(world, card)),
    async close() {
      await terminal.close();
      await world.close();
    },
  };
  return shop;
}
