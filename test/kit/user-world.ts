import { Type } from '../../protocol/schema.ts';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { Cardholder, OnOff, optionsChecker, withCheckedActs } from './checked-options.ts';
import { worldOfSnapshot } from './snapshot-image.ts';
import { openTill, type Till } from './till.ts';
import type { Receiver } from './receivers.ts';
import { startWorld as startWholeWorld, type World } from './world.ts';
import type { TerminalOptions, WorldOptions } from './world-options.ts';

/*
 * Published as `tapbench/world`: the stable part of a world, for tests of integrators, with its types.
 */
export type { Answer, Api } from './api.ts';
export type { Behaviour, Delivery, Receiver } from './receivers.ts';
export type { RunningTest } from './recording/recording-format.ts';
export type { PayOptions, Till } from './till.ts';
export type { TerminalOptions } from './world-options.ts';

/** Names of the simulated cards. */
export const CARDS: readonly string[] = CARD_NAMES;

/** Options of a world; all have defaults. */
export interface UserWorldOptions extends Pick<
  WorldOptions,
  'seed' | 'startMs' | 'cardholder' | 'logLevel' | 'test'
> {
  /** Whether amounts that end in 901 to 922 decline or fail; by default on for terminals and off online. */
  magicAmounts?: 'on' | 'off';
  /** Whether calls over the rate limit get 429; off by default. */
  rateLimit?: 'on' | 'off';
  /**
   * What the world begins with: another world, of which it is a fork, or the path of a file that
   * `tapbench sandbox save` wrote. Not with `startMs`: it begins at the time of the other.
   */
  from?: UserWorld | string;
}

const checkWorldOptions = optionsChecker<UserWorldOptions>('startWorld', {
  seed: Type.Optional(Type.String()),
  startMs: Type.Optional(Type.Integer({ minimum: 0 })),
  from: Type.Optional(Type.Unknown()),
  cardholder: Type.Optional(Cardholder),
  magicAmounts: OnOff,
  rateLimit: OnOff,
  logLevel: Type.Optional(Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  test: Type.Optional(Type.Unknown()),
});

const checkTerminalOptions = optionsChecker<TerminalOptions>('openTill', {
  serialNumber: Type.Optional(Type.String()),
  accountId: Type.Optional(Type.String()),
  cardholder: Type.Optional(Cardholder),
});

/**
 * Server, broker and terminals in this process, on virtual time that only the test advances, without open ports. When
 * `settled` resolves, all effects of earlier calls are done; no virtual time passes meanwhile.
 */
export interface UserWorld extends Pick<
  World,
  'api' | 'fetch' | 'platformId' | 'subAccountId' | 'settled' | 'advance' | 'until' | 'close'
> {
  /** Base URL for `fetch`, without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Returns the virtual time, epoch milliseconds. */
  nowMs(): number;
  /** Registers a new terminal and returns its till. The terminal is online when this resolves. */
  openTill(options?: TerminalOptions): Promise<Till>;
  /** Returns a till with a terminal that the world has, such as one of the world that it is a fork of. */
  tillOf(terminalId: string): Till;
  /**
   * Starts another world with a copy of everything in this one: objects, terminals as they stand, webhooks and time.
   * Its receivers have the same names: `receiver(name)` returns one.
   */
  fork(options?: Pick<UserWorldOptions, 'logLevel' | 'test'>): Promise<UserWorld>;
  /** Returns the receiver of this name. */
  receiver(name: string): Receiver;
  /** Registers a webhook for these event types and records its deliveries. */
  listen: World['listen'];
}

/**
 * Starts a world. The test must close it.
 * @throws Error for an option that is unknown or not valid, and for a file that is no snapshot, or is damaged
 */
export async function startWorld(options: UserWorldOptions = {}): Promise<UserWorld> {
  checkWorldOptions(options);
  const { magicAmounts, rateLimit, from, ...rest } = options;
  if (typeof from === 'object') return from.fork(rest);
  const settings = { ...(magicAmounts && { magicAmounts }), ...(rateLimit && { rateLimit }) };
  if (from === undefined) return userWorldOf(await startWholeWorld({ ...rest, settings }));
  const saved = await worldOfSnapshot(from, options.seed ?? 'world');
  return userWorldOf(
    await startWholeWorld({ ...rest, ...saved, settings: { ...saved.settings, ...settings } }),
  );
}

function userWorldOf(world: World): UserWorld {
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
    async openTill(options = {}) {
      checkTerminalOptions(options);
      return openTill(world, withCheckedActs(await world.addTerminal(options)), options.accountId);
    },
    tillOf(terminalId) {
      const terminal = world.fleet.terminal(terminalId);
      if (!terminal) throw new Error(`the world has no terminal ${terminalId}`);
      return openTill(world, withCheckedActs(terminal));
    },
    fork: async (changes) => userWorldOf(await world.fork(changes)),
    receiver(name) {
      const receiver = world.receivers.named(name);
      if (!receiver) throw new Error(`the world has no receiver ${name}`);
      return receiver;
    },
    listen: world.listen,
    settled: world.settled,
    advance: world.advance,
    until: world.until,
    close: world.close,
  };
}
