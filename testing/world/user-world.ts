import { Type } from '../../protocol/schema.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import { faultLine } from '../../server/platform/faults/fault-words.ts';
import { fitsReader } from '../../simulator/cardholder.ts';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { fitsPaymentTerminal } from '../../simulator/twin-reader.ts';
import { DEVICES_BESIDE, RECEIPT_PRINTER } from '../../simulator/twins/twins.ts';
import { Cardholder, OnOff, optionsChecker, withCheckedActs } from './checked-options.ts';
import { startWorldFrom } from './start-world-from.ts';
import { openTill, type Till } from './till.ts';
import {
  createTestPrinter,
  type PrinterOptions,
  type TestPrinter,
  type WorldPrinter,
} from './test-printer.ts';
import type { Receiver } from './receivers.ts';
import type { World } from './world.ts';
import type { TerminalOptions, WorldOptions } from './world-options.ts';
import { mapTexts } from '../../world/replay/bindings.ts';
import { successOf, type Api } from './api.ts';

/*
 * Published as `tapbench/world`: the stable part of a world, for tests of integrators, with its types.
 */
export type { Answer, Api } from './api.ts';
export type { Behaviour, Delivery, Receiver } from './receivers.ts';
export type { RunningTest } from '../run-log/run-log-format.ts';
export type { PayOptions, Till } from './till.ts';
export type { PrintedReceipt, PrinterOptions, TestPrinter } from './test-printer.ts';
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
  /** Whether the header `Idempotency-Key` works under /v1; off by default, as on a server. */
  idempotencyKeys?: 'on' | 'off';
  /** Whether /v1 has nothing beyond the specification; off by default. On also turns idempotency keys off. */
  strict?: 'on' | 'off';
  /** Whether `close` accepts faults that have struck nothing; false by default. */
  allowUnstruck?: boolean;
  /**
   * What the world begins with: another world, of which it is a fork, or the path of a file that
   * `tapbench sandbox save` or `tapbench record` wrote. Not with `startMs`: it begins at the time of the other.
   * With a trace, requests to other servers get the recorded answers, and `api` takes the placeholders of the trace.
   */
  from?: UserWorld | string | URL;
}

const checkWorldOptions = optionsChecker<UserWorldOptions>('startWorld', {
  seed: Type.Optional(Type.String()),
  startMs: Type.Optional(Type.Integer({ minimum: 0 })),
  from: Type.Optional(Type.Unknown()),
  cardholder: Type.Optional(Cardholder),
  magicAmounts: OnOff,
  rateLimit: OnOff,
  idempotencyKeys: OnOff,
  strict: OnOff,
  allowUnstruck: Type.Optional(Type.Boolean()),
  logLevel: Type.Optional(Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  test: Type.Optional(Type.Unknown()),
});

/** Options of a till; all have defaults. */
export interface TillOptions extends TerminalOptions {
  /** A terminal that is registered already, in place of a new one. */
  terminalId?: string;
  /** A receipt printer of this world, at which the terminal prints; a printer of its own by default. */
  printer?: TestPrinter;
}

const checkTillOptions = optionsChecker<TillOptions>('openTill', {
  terminalId: Type.Optional(Type.String()),
  deviceType: Type.Optional(Type.String()),
  twin: Type.Optional(Type.Enum(DEVICES_BESIDE.map(({ name }) => name))),
  readLatencyMs: Type.Optional(Type.Integer({ minimum: 0 })),
  serialNumber: Type.Optional(Type.String()),
  accountId: Type.Optional(Type.String()),
  printer: Type.Optional(Type.Unknown()),
  cardholder: Type.Optional(Cardholder),
});

const Duration = Type.Optional(Type.Number({ minimum: 0 }));
const checkAdvance = optionsChecker<{ ms?: number; seconds?: number; minutes?: number }>('advance', {
  ms: Duration,
  seconds: Duration,
  minutes: Duration,
});

/**
 * Server, broker and terminals in this process, on virtual time that only the test advances, without open ports. When
 * `settled` resolves, all effects of earlier calls are done; no virtual time passes meanwhile.
 */
export interface UserWorld extends Pick<
  World,
  'api' | 'fetch' | 'platformId' | 'subAccountId' | 'settled' | 'advance' | 'until'
> {
  /** Base URL for `fetch`, without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Returns the virtual time, epoch milliseconds. */
  nowMs(): number;
  /** Registers a new terminal, unless one is given, and returns its till. The terminal is online when this resolves. */
  openTill(options?: TillOptions): Promise<Till>;
  /** Returns a new receipt printer, for a terminal or for a till of the test. A fork of the world has only ones like them. */
  openPrinter(options?: PrinterOptions): TestPrinter;
  /** Returns a till with a terminal that the world has, such as one of the world that it is a fork of. */
  tillOf(terminalId: string): Till;
  /**
   * Starts another world with a copy of everything in this one: objects, terminals as they stand, webhooks and time.
   * Its receivers have the same names: `receiver(name)` returns one.
   */
  fork(options?: Pick<UserWorldOptions, 'logLevel' | 'test' | 'allowUnstruck'>): Promise<UserWorld>;
  /** Returns the receiver of this name. */
  receiver(name: string): Receiver;
  /** Registers a webhook for these event types and records its deliveries. */
  listen: World['listen'];
  /** Begins a plan of faults, such as `{ at: 'webhook.attempt', what: 'dropped' }`. */
  faults(...faults: object[]): Promise<void>;
  /** Returns the faults of the plans of this world that have struck nothing. */
  unstruck(): readonly object[];
  /**
   * Ends the world.
   * @throws Error that names each fault of its plans that has struck nothing, so that the test did not test it; not with
   * `allowUnstruck`
   */
  close(): Promise<void>;
}

/**
 * Starts a world. The test must close it.
 * @throws Error for an option that is unknown or not valid, and for a file that does not exist, is no snapshot, or is
 * damaged
 */
export async function startWorld(options: UserWorldOptions = {}): Promise<UserWorld> {
  checkWorldOptions(options);
  const { from, allowUnstruck, ...rest } = options;
  if (typeof from === 'object' && !(from instanceof URL)) {
    const {
      magicAmounts: _amounts,
      rateLimit: _rate,
      idempotencyKeys: _keys,
      strict: _strict,
      ...own
    } = rest;
    return from.fork({ ...own, ...(allowUnstruck !== undefined && { allowUnstruck }) });
  }
  const { whole, fill } = await startWorldFrom(from, rest);
  // What a file has is no plan of the test.
  return userWorldOf(whole, { fill, allowUnstruck: allowUnstruck ?? from !== undefined });
}

interface UserWorldParts {
  /** Puts values in the place of the placeholders of the trace with which the world began. */
  fill?: ((text: string) => string) | undefined;
  allowUnstruck?: boolean | undefined;
}

export function userWorldOf(whole: World, { fill, allowUnstruck = false }: UserWorldParts = {}): UserWorld {
  const world = fill ? { ...whole, api: filledApi(whole.api, fill) } : whole;
  const { publicUrl, secretKey, publicKey } = world.server.services.settings;
  const printers: WorldPrinter[] = [];
  const printerOf = (chosen: TestPrinter): WorldPrinter => {
    const printer = printers.find((known) => known === chosen);
    if (!printer) throw new Error('openTill: printer is none that openPrinter of this world returned');
    return printer;
  };
  const unstruckFaults = () => world.server.services.faults?.unstruck() ?? [];
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
      checkTillOptions(options);
      checkTwin(options);
      const { terminalId, printer: chosen, ...own } = options;
      const terminalOptions = { ...own, ...(chosen && { printer: printerOf(chosen) }) };
      const terminal =
        terminalId === undefined
          ? await world.addTerminal(terminalOptions)
          : await world.simulate({ terminalId, ...terminalOptions });
      return openTill(world, withCheckedActs(terminal), options.accountId);
    },
    openPrinter(options = {}) {
      const printer = createTestPrinter(options, { clock: world.clock, log: world.forTerminals.log });
      printers.push(printer);
      return printer;
    },
    tillOf(terminalId) {
      const terminal = world.fleet.terminal(terminalId);
      if (!terminal) throw new Error(`the world has no terminal ${terminalId}`);
      return openTill(world, withCheckedActs(terminal));
    },
    async fork({ allowUnstruck: inFork = allowUnstruck, ...changes } = {}) {
      return userWorldOf(await world.fork(changes), { fill, allowUnstruck: inFork });
    },
    receiver(name) {
      const receiver = world.receivers.named(name);
      if (!receiver) throw new Error(`the world has no receiver ${name}`);
      return receiver;
    },
    listen: world.listen,
    settled: world.settled,
    async advance(by) {
      checkAdvance(by);
      await world.advance(by);
    },
    until: world.until,
    async faults(...faults) {
      successOf(await world.api.post('/sandbox/faults', { faults }), 'POST /sandbox/faults');
    },
    unstruck: unstruckFaults,
    async close() {
      const unstruck = allowUnstruck ? [] : unstruckFaults();
      try {
        await world.close();
      } finally {
        await Promise.all(printers.map((printer) => printer.close()));
      }
      if (unstruck.length > 0) throw new Error(unstruckMessage(unstruck));
    },
  };
}

/** @throws Error for an option that only a terminal without a payment terminal beside it has */
function checkTwin({ twin, cardholder, deviceType, readLatencyMs, printer }: TillOptions): void {
  if (twin === undefined) return;
  if (twin === RECEIPT_PRINTER.name) {
    if (printer) throw new Error('openTill: printer is not for a terminal with a receipt printer of its own');
    return;
  }
  const given = Object.entries({ deviceType, readLatencyMs }).find(([, value]) => value !== undefined);
  if (given) throw new Error(`openTill: ${given[0]} is not for a terminal with twin, which reads the cards`);
  const fits = cardholder && fitsReader({ fits: fitsPaymentTerminal }, cardholder);
  if (fits?.ok === false) throw new Error(`openTill: cardholder: ${fits.problem}`);
}

function unstruckMessage(faults: readonly PlannedFault[]): string {
  const lines = faults.map((fault) => `\n  ${fault.what} at ${fault.at}: ${faultLine(fault)}`);
  return `the test did not test these faults, which struck nothing (allowUnstruck: true permits it):${lines.join('')}`;
}

/** Returns a client of the API that puts values in the place of the placeholders of a trace, in all that it sends. */
function filledApi(api: Api, fill: (text: string) => string): Api {
  return {
    get: (path) => api.get(fill(path)),
    post: (path, body) => api.post(fill(path), filledBody(body)),
    patch: (path, body) => api.patch(fill(path), filledBody(body)),
    delete: (path, body) => api.delete(fill(path), filledBody(body)),
    raw: (method, path, body, headers) =>
      api.raw(
        method,
        fill(path),
        typeof body === 'string' ? fill(body) : body,
        headers && mapTexts(headers, fill),
      ),
    as: (accountId) => filledApi(api.as(fill(accountId)), fill),
    withKey: (key) => filledApi(api.withKey(fill(key)), fill),
    get open() {
      return api.open;
    },
  };

  function filledBody(body: unknown): unknown {
    return body instanceof FormData ? body : mapTexts(body, fill);
  }
}
