import { after, type Timer } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { LineSettings } from '../byte-port.ts';
import { createDeviceLine, type DeviceLine } from '../device-line.ts';
import { memoryDebts } from '../debt-store.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import type { Wire } from '../wire.ts';
import { parseBitmaps } from './bitmaps.ts';
import { characterSetIn, CODE_PAGE_437 } from './charset.ts';
import * as commands from './commands.ts';
import { TWIN_DEVICE_NAME } from './constants.ts';
import { converse, type Ending, type Stop } from './command-exchange.ts';
import { createBareParser, createSerialParser, type ZvtFrame } from './parser.ts';
import { createReceiptCollector } from './receipt.ts';
import { resultText } from './results.ts';
import { readStatusCompletion, READY, type DeviceStatus } from './status-enquiry.ts';
import { createTalk, type Talk } from './transport-layer.ts';
import { TCP_PREFIX } from './tcp-port.ts';
import {
  createTransactions,
  hearUnasked,
  silent,
  type TransactionOutcome,
  type Transactions,
} from './transactions.ts';

/** 8N2, as manufacturers ship their terminals (PA00P016 §2). */
export const LINE: LineSettings = { baudRate: 9_600, stopBits: 2 };

/** Columns of the receipts that the terminal has us print. */
const COLUMNS = 32;

// A payment with a slow host, a forgetful cardholder and its receipts; what takes longer is given up.
const TRANSACTION_LIMIT_MS = 600_000;
const SETTLE_LIMIT_MS = 400_000;
const SETTLE_AGAIN_MS = 15_000;

/** Who answered at the other end. */
export interface Identity {
  terminalId: string | undefined;
  /** What the terminal calls itself, if it does. */
  deviceName: string | undefined;
  isTwin: boolean;
}

/** A payment terminal at the end of a line. Registered when it is first needed, one thing at a time. */
export interface ZvtTerminal {
  /** @throws Fault when the outcome is not known; it is found out, and undone, once the terminal is back. */
  transact(request: CardRequest, stop: Stop): Promise<TransactionOutcome>;
  /** @throws Fault `reader` when it is not taken back. */
  reverse(receiptNumber: number, terminalId: string | undefined): Promise<void>;
  /** @throws Fault `reader`. */
  identify(): Promise<Identity>;
  /** 05 01. @throws Fault `reader` when the terminal is not ready. */
  enquire(): Promise<void>;
  /** 06 50: what the terminal printed about it. @throws Fault `reader`. */
  endOfDay(): Promise<string>;
  close(): Promise<void>;
}

/** @param parts with `onlyLooks` nothing is begun or taken back, whatever the terminal tells by itself. */
export function createZvtTerminal(parts: DriverParts & { onlyLooks?: boolean }): ZvtTerminal {
  const transactions = createTransactions(parts.log, parts.debts ?? memoryDebts());
  const { withTalk, identity, settleLater, close } = createTalkLine(parts, transactions);
  const refuseOther = (terminalId: string | undefined) => {
    const here = identity()?.terminalId;
    if (!terminalId || !here || terminalId === here) return;
    throw new Fault('reader', `that was terminal ${terminalId}; the one at the line is ${here}`);
  };
  return {
    transact: (request, stop) =>
      withTalk(TRANSACTION_LIMIT_MS, (talk) =>
        transactions.transact(talk, request, { stop, terminalId: identity()?.terminalId }),
      ).finally(settleLater),
    reverse: (receiptNumber, terminalId) =>
      withTalk(SETTLE_LIMIT_MS, async (talk) => {
        refuseOther(terminalId);
        const refused = await transactions.reverse(talk, receiptNumber);
        if (refused === undefined) return;
        throw new Fault('reader', `the terminal does not take it back: ${resultText(refused)}`);
      }),
    identify: () => withTalk(SETTLE_LIMIT_MS, async () => identity()!),
    enquire: () =>
      withTalk(SETTLE_LIMIT_MS, async (talk) => {
        const ending = await converse(talk, commands.statusEnquiry());
        const { code } = readStatusCompletion(expectCompleted(ending, 'the status enquiry'));
        if (code !== READY) throw new Fault('reader', `the terminal is not ready: ${resultText(code)}`);
      }),
    endOfDay: () =>
      withTalk(TRANSACTION_LIMIT_MS, async (talk) => {
        const prints = createReceiptCollector(talk.characterSet);
        expectCompleted(await converse(talk, commands.endOfDay(), { print: prints.take }), 'the end of day');
        return prints.text();
      }),
    close,
  };
}

/** The line, with a registered terminal at its end each time it is used. */
function createTalkLine(parts: DriverParts & { onlyLooks?: boolean }, transactions: Transactions) {
  const { clock, log } = parts;
  const talks = new WeakMap<Wire<ZvtFrame>, Talk>();
  let isTcp = false;
  let identity: Identity | undefined;
  let settling: Timer | undefined;
  let closed = false;

  const talkOf = (wire: Wire<ZvtFrame>): Talk => {
    const talk = talks.get(wire) ?? createTalk(wire, clock, isTcp ? 'bare' : 'serial');
    talks.set(wire, talk);
    return talk;
  };
  const line: DeviceLine<ZvtFrame> = createDeviceLine({
    open: async (settings) => {
      const port = await parts.open(settings);
      isTcp = port.path.startsWith(TCP_PREFIX);
      return port;
    },
    settings: LINE,
    clock,
    log,
    trace: parts.trace,
    parser: () => (isTcp ? createBareParser() : createSerialParser()),
    async greet(wire) {
      const isNew = !talks.has(wire);
      const talk = talkOf(wire);
      const { deviceName } = await askDevice(talk);
      refuseRealTerminal(deviceName, parts);
      const terminalId = await register(talk, isTcp);
      identity = { terminalId, deviceName, isTwin: deviceName === TWIN_DEVICE_NAME };
      if (isNew) await transactions.meet(talk);
    },
    unasked(frame) {
      if (frame.type === 'apdu') inBackground((talk) => takeBackUnasked(talk, frame));
    },
    changed(downBecause) {
      if (downBecause === undefined && transactions.owesSomething) inBackground(settle);
    },
  });
  const takeBackUnasked = async (talk: Talk, frame: ZvtFrame) => {
    const receiptNumber = await hearUnasked(talk, frame);
    if (receiptNumber === undefined || parts.onlyLooks) return;
    log.warn({ receiptNumber }, 'the terminal approved what nobody waits for');
    const refused = await transactions.reverse(talk, receiptNumber);
    if (refused === undefined) return;
    log.error({ receiptNumber, reason: resultText(refused) }, 'it was not taken back');
  };
  const withTalk = <T>(limitMs: number, work: (talk: Talk) => Promise<T>) =>
    line.exchange(limitMs, (wire) => work(talkOf(wire)));
  const inBackground = (work: (talk: Talk) => Promise<void>) => {
    withTalk(SETTLE_LIMIT_MS, work)
      .catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'what the terminal left open is not settled yet');
      })
      .finally(settleLater);
  };
  // A terminal that is busy, or whose line is gone again, is asked again.
  const settleLater = () => {
    if (closed || !transactions.owesSomething) return;
    settling?.cancel();
    settling = after(clock, SETTLE_AGAIN_MS, () => inBackground(settle));
  };
  const settle = (talk: Talk) => transactions.settle(talk, identity?.terminalId);
  // What an agent before this one left open is not left to the next payment.
  settleLater();
  const close = () => {
    closed = true;
    settling?.cancel();
    return line.close();
  };
  return { withTalk, identity: () => identity, settleLater, close };
}

/** 05 01. A terminal that refuses to say what it is has no name. @throws Fault `timed_out` on silence. */
async function askDevice(talk: Talk): Promise<Partial<DeviceStatus>> {
  const ending = await converse(talk, commands.statusEnquiry());
  if (ending.type === 'silent') throw silent();
  return ending.type === 'completed' ? readStatusCompletion(ending.data) : {};
}

/**
 * 06 00. Without it a terminal refuses to work for us (PA00P015 §2.1). Keeps the character set that the terminal
 * names. @returns the terminal's id, if it has one.
 */
async function register(talk: Talk, textBlocks: boolean): Promise<string | undefined> {
  const command = commands.registration({ columns: COLUMNS, textBlocks });
  const bitmaps = parseBitmaps(expectCompleted(await converse(talk, command), 'the registration'));
  talk.characterSet = characterSetIn(bitmaps.get(0x06)) ?? CODE_PAGE_437;
  const terminalId = bitmaps.get(0x29);
  return terminalId && toHex(terminalId);
}

function refuseRealTerminal(deviceName: string | undefined, { allowRealTerminal }: DriverParts): void {
  if (deviceName === TWIN_DEVICE_NAME || allowRealTerminal) return;
  const what = deviceName ? `'${deviceName}'` : 'the device at the port';
  throw new Fault(
    'reader',
    `${what} is a real payment terminal, where real money moves: it is used only with --allow-real-terminal`,
  );
}

/** What the completion carries. @throws Fault for any other ending. */
function expectCompleted(ending: Ending, what: string): Uint8Array {
  if (ending.type === 'completed') return ending.data;
  if (ending.type === 'silent') throw silent();
  throw new Fault('reader', `the terminal refuses ${what}: ${resultText(ending.code)}`);
}
