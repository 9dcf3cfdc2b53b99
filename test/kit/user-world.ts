import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { openTill, type Till } from './till.ts';
import {
  startWorld as startWholeWorld,
  type TerminalOptions,
  type World,
  type WorldOptions,
} from './world.ts';

/*
 * What is published as `tapbench/world`: as much of a world as a shop's tests need, and no part of it that we would
 * not keep. What it gives has names here too.
 */
export type { Answer, Api } from './api.ts';
export type { Behaviour, Delivery, Receiver } from './receivers.ts';
export type { RunningTest } from './recording/recording-format.ts';
export type { PayOptions, Till } from './till.ts';
export type { TerminalOptions } from './world.ts';

/** Names of the cards that can be presented. */
export const CARDS: readonly string[] = CARD_NAMES;

/** What a test may choose of its world; everything has a default. */
export interface UserWorldOptions extends Pick<
  WorldOptions,
  'seed' | 'startMs' | 'cardholder' | 'logLevel' | 'test'
> {
  /** Whether amounts that end in 901 to 922 decline or fail; on for terminals and off online unless said. */
  magicAmounts?: 'on' | 'off';
  /** Whether calls over the rate of the specification get 429; off unless said. */
  rateLimit?: 'on' | 'off';
}

/**
 * Server, broker and terminals in this process, on time that stands still until the test moves it, with no port
 * open. What follows from what a test has done is done when `settled` resolves; no time passes in between.
 */
export interface UserWorld extends Pick<
  World,
  'api' | 'fetch' | 'platformId' | 'subAccountId' | 'settled' | 'advance' | 'until' | 'close'
> {
  /** Where `fetch` finds the server, without a slash at its end. */
  readonly url: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Now, in the world: epoch milliseconds. */
  nowMs(): number;
  /** Opens a point of sale with a new terminal, which is online when this resolves. */
  openTill(options?: TerminalOptions): Promise<Till>;
  /** Registers a webhook for these event types, and keeps what is delivered to it. */
  listen: World['listen'];
}

/** Starts a world. Close it at the end of the test. */
export async function startWorld(options: UserWorldOptions = {}): Promise<UserWorld> {
  const { magicAmounts, rateLimit, ...rest } = options;
  const settings = { ...(magicAmounts && { magicAmounts }), ...(rateLimit && { rateLimit }) };
  const world = await startWholeWorld({ ...rest, settings });
  const { publicUrl, secretKey, publicKey } = world.server.services.settings;
  return {
    url: publicUrl,
    secretKey,
    publicKey,
    api: world.api,
    fetch: world.fetch,
    platformId: world.platformId,
    subAccountId: world.subAccountId,
    nowMs: () => world.clock.nowMs(),
    openTill: async (terminal) => openTill(world, await world.addTerminal(terminal), terminal?.accountId),
    listen: world.listen,
    settled: world.settled,
    advance: world.advance,
    until: world.until,
    close: world.close,
  };
}
