import { after, type Timer } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { LineSettings } from '../byte-port.ts';
import { createDeviceConnection, type DeviceConnection } from '../device-connection.ts';
import { memoryPendingReversals } from '../pending-reversal-store.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { parseBitmaps } from './bitmaps.ts';
import { characterSetIn, CODE_PAGE_437 } from './charset.ts';
import * as commands from './commands.ts';
import { exchangeCommand, type CommandResult, type AbortRequest } from './command-exchange.ts';
import { createSerialParser, createTcpParser, type ZvtFrame } from './frame.ts';
import { createReceiptCollector } from './receipt.ts';
import { resultText } from './result-codes.ts';
import { parseStatusCompletion, READY, type DeviceStatus } from './status-information.ts';
import { createTransportLayer, type TransportLayer } from './transport-layer.ts';
import { TCP_PREFIX } from '../tcp-port.ts';
import {
  createTransactions,
  noResponse,
  type TransactionOutcome,
  type Transactions,
} from './transactions.ts';

/** Device name (TLV E4, 1F40) of Tapbench's twin. No real terminal has it. */
const TWIN_DEVICE_NAME = 'TAPBENCH TWIN';

/** 8N2, as manufacturers ship their terminals (PA00P016 §2). */
export const LINE: LineSettings = { baudRate: 9_600, stopBits: 2 };

/** Width of the receipts that the terminal prints through us. */
const COLUMNS = 32;

// Enough for a slow host, a slow cardholder and the receipts.
const TRANSACTION_LIMIT_MS = 600_000;
const REVERSAL_LIMIT_MS = 400_000;
const REVERSAL_RETRY_MS = 15_000;

/** Identity of the connected terminal. */
interface TerminalIdentity {
  terminalId: string | undefined;
  /** Device name, if the terminal sends it. */
  deviceName: string | undefined;
  isTwin: boolean;
}

/** A payment terminal. It is registered when it is first used, and runs one command at a time. */
export interface ZvtTerminal {
  /** Runs a payment or refund. @throws Fault when the outcome is unknown; it is reversed once the terminal is back. */
  transact(request: CardRequest, stop: AbortRequest): Promise<TransactionOutcome>;
  /** Reverses a transaction. @throws Fault `reader` when it is not reversed. */
  reverse(receiptNumber: number, terminalId: string | undefined): Promise<void>;
  /** Registers if needed, and returns the identity. @throws Fault `reader`. */
  identify(): Promise<TerminalIdentity>;
  /** Reads the number of the last receipt; undefined when the terminal stores none. @throws Fault `reader`. */
  readLastReceipt(): Promise<number | undefined>;
  /** Sends a status enquiry (05 01). @throws Fault `reader` when the terminal is not ready. */
  checkReady(): Promise<void>;
  /** Runs an end of day (06 50) and returns its printed report. @throws Fault `reader`. */
  endOfDay(): Promise<string>;
  close(): Promise<void>;
}

/** @param parts with `readOnly` no transaction is started or reversed, whatever the terminal sends. */
export function createZvtTerminal(parts: DriverParts & { readOnly?: boolean }): ZvtTerminal {
  const transactions = createTransactions(
    parts.log,
    parts.pendingReversals ?? memoryPendingReversals(),
    parts.onReversal,
  );
  const { withTransport, identity, scheduleReversals, close } = createTerminalConnection(parts, transactions);
  const assertSameTerminal = (terminalId: string | undefined) => {
    const here = identity()?.terminalId;
    if (!terminalId || !here || terminalId === here) return;
    throw new Fault('reader', `that was terminal ${terminalId}; the connected one is ${here}`);
  };
  return {
    transact: (request, stop) =>
      withTransport(TRANSACTION_LIMIT_MS, (transport) =>
        transactions.transact(transport, request, { stop, terminalId: identity()?.terminalId }),
      ).finally(scheduleReversals),
    reverse: (receiptNumber, terminalId) =>
      withTransport(REVERSAL_LIMIT_MS, async (transport) => {
        assertSameTerminal(terminalId);
        const refused = await transactions.reverse(transport, receiptNumber);
        if (refused === undefined) return;
        throw new Fault('reader', `the terminal does not reverse it: ${resultText(refused)}`);
      }),
    identify: () => withTransport(REVERSAL_LIMIT_MS, async () => identity()!),
    readLastReceipt: () => withTransport(REVERSAL_LIMIT_MS, transactions.syncLastReceipt),
    checkReady: () =>
      withTransport(REVERSAL_LIMIT_MS, async (transport) => {
        const result = await exchangeCommand(transport, commands.statusEnquiry());
        const { code } = parseStatusCompletion(expectCompleted(result, 'the status enquiry'));
        if (code !== READY) throw new Fault('reader', `the terminal is not ready: ${resultText(code)}`);
      }),
    endOfDay: () =>
      withTransport(TRANSACTION_LIMIT_MS, async (transport) => {
        const prints = createReceiptCollector(transport.characterSet);
        expectCompleted(
          await exchangeCommand(transport, commands.endOfDay(), { print: prints.take }),
          'the end of day',
        );
        return prints.text();
      }),
    close,
  };
}

/** Connects to the terminal and registers there before each use of a new connection. */
function createTerminalConnection(parts: DriverParts & { readOnly?: boolean }, transactions: Transactions) {
  const { clock, log } = parts;
  const transports = new WeakMap<FrameChannel<ZvtFrame>, TransportLayer>();
  let isTcp = false;
  let identity: TerminalIdentity | undefined;
  let reversalTimer: Timer | undefined;
  let closed = false;

  const transportOn = (channel: FrameChannel<ZvtFrame>): TransportLayer => {
    const transport =
      transports.get(channel) ?? createTransportLayer(channel, clock, isTcp ? 'tcp' : 'serial');
    transports.set(channel, transport);
    return transport;
  };
  const connection: DeviceConnection<ZvtFrame> = createDeviceConnection({
    open: async (settings) => {
      const port = await parts.open(settings);
      isTcp = port.path.startsWith(TCP_PREFIX);
      return port;
    },
    settings: LINE,
    clock,
    log,
    trace: parts.trace,
    parser: () => (isTcp ? createTcpParser() : createSerialParser()),
    async handshake(channel) {
      const isNew = !transports.has(channel);
      const transport = transportOn(channel);
      const { deviceName } = await queryDevice(transport);
      assertAllowed(deviceName, parts);
      const terminalId = await register(transport, isTcp);
      identity = { terminalId, deviceName, isTwin: deviceName === TWIN_DEVICE_NAME };
      // Without it no transaction could be resolved after a lost connection.
      if (isNew && !parts.readOnly) await transactions.syncLastReceipt(transport);
    },
    onUnsolicited(frame) {
      if (frame.type !== 'apdu') return;
      const at = { terminalId: identity?.terminalId, readOnly: parts.readOnly ?? false };
      inBackground((transport) => transactions.takeUnsolicited(transport, frame, at));
    },
    onChange(closeReason) {
      if (closeReason === undefined && transactions.hasPendingReversals) inBackground(reversePending);
    },
  });
  const withTransport = <T>(limitMs: number, work: (transport: TransportLayer) => Promise<T>) =>
    connection.exchange(limitMs, (channel) => work(transportOn(channel)));
  const inBackground = (work: (transport: TransportLayer) => Promise<void>) => {
    withTransport(REVERSAL_LIMIT_MS, work)
      .catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'reversals are still pending');
      })
      .finally(scheduleReversals);
  };
  // Retries while the terminal is busy or not connected.
  const scheduleReversals = () => {
    if (closed || !transactions.hasPendingReversals) return;
    reversalTimer?.cancel();
    reversalTimer = after(clock, REVERSAL_RETRY_MS, () => inBackground(reversePending));
  };
  const reversePending = (transport: TransportLayer) =>
    transactions.reversePending(transport, identity?.terminalId);
  // Resolves reversals of an earlier process now, not before the next payment.
  scheduleReversals();
  const close = () => {
    closed = true;
    reversalTimer?.cancel();
    return connection.close();
  };
  return { withTransport, identity: () => identity, scheduleReversals, close };
}

/** Sends 05 01. A terminal that refuses it has no name. @throws Fault `timed_out` without a response. */
async function queryDevice(transport: TransportLayer): Promise<Partial<DeviceStatus>> {
  const result = await exchangeCommand(transport, commands.statusEnquiry());
  if (result.type === 'noResponse') throw noResponse();
  return result.type === 'completed' ? parseStatusCompletion(result.data) : {};
}

/**
 * Sends 06 00, which a terminal requires before other commands (PA00P015 §2.1), and stores the character set of the
 * terminal. @returns the terminal id, if it has one.
 */
async function register(transport: TransportLayer, textBlocks: boolean): Promise<string | undefined> {
  const command = commands.registration({ columns: COLUMNS, textBlocks });
  const bitmaps = parseBitmaps(
    expectCompleted(await exchangeCommand(transport, command), 'the registration'),
  );
  transport.characterSet = characterSetIn(bitmaps.get(0x06)) ?? CODE_PAGE_437;
  const terminalId = bitmaps.get(0x29);
  return terminalId && toHex(terminalId);
}

/** @throws Fault `reader` for a real terminal that is not allowed. */
export function assertAllowed(
  deviceName: string | undefined,
  { allowRealTerminal }: Pick<DriverParts, 'allowRealTerminal'>,
): void {
  if (deviceName === TWIN_DEVICE_NAME || allowRealTerminal) return;
  const what = deviceName ? `'${deviceName}'` : 'the device at the port';
  throw new Fault(
    'reader',
    `${what} is a real payment terminal, where real money moves: it is used only with --allow-real-terminal`,
  );
}

/** Returns the data of a completion. @throws Fault for any other result. */
function expectCompleted(result: CommandResult, what: string): Uint8Array {
  if (result.type === 'completed') return result.data;
  if (result.type === 'noResponse') throw noResponse();
  throw new Fault('reader', `the terminal refuses ${what}: ${resultText(result.code)}`);
}
