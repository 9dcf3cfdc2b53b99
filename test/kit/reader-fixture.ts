import { addReaderTerminal, cardFor, type ReaderOptions, type ReaderTerminal } from './reader-terminal.ts';
import type { Answer } from '../../testing/world/api.ts';
import type { PayOptions, Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import type { WorldOptions } from '../../testing/world/world-options.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

// Small steps for serial lines, large ones for deadlines.
const STEP_MS = { first: 50, longest: 1_000 };
const STEP_GROWTH = 1.1;
const PATIENCE_MS = 30_000;

/** A world with one terminal whose driver is connected to a twin. */
export interface ReaderFixture {
  readonly world: World;
  readonly till: Till<ReaderTerminal>;
  readonly terminal: ReaderTerminal;
  /** Advances time in small steps until `look` returns a truthy value. Throws after `patienceMs`. */
  soon<T>(what: string, look: () => T | Promise<T>, patienceMs?: number): Promise<NonNullable<T>>;
  /** Waits for a state of the terminal's machine, named by any part of its dotted path. */
  is(state: string): Promise<void>;
  /** Waits for the end of the action. Returns it as the API shows it. */
  ended(patienceMs?: number): Promise<Json>;
  /** Starts a payment and presents a card. Returns the reply to the start. */
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
