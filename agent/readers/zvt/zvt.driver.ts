import { Fault, messageOf } from '../../../protocol/failures.ts';
import { runChecks, type DeviceCheck } from '../device-checks.ts';
import type { DriverModule, DriverParts, CheckResult } from '../driver.ts';
import type { CardRequest, Reader, ReaderEvent } from '../reader.ts';
import { createAbortRequest, type AbortRequest } from './command-exchange.ts';
import { approvalOf, parseReference, referenceOf, type TransactionStatus } from './status-information.ts';
import { TCP_PREFIX } from '../tcp-port.ts';
import { assertAllowed, createZvtTerminal, LINE, type ZvtTerminal } from './terminal.ts';
import type { TransactionOutcome } from './transactions.ts';
import { describeFrame } from './frame-words.ts';

/** Driver for payment terminals with ZVT (PA00P015, PA00P016), over a serial line or TCP. */
export const driver: DriverModule = {
  createReader: createZvtReader,
  diagnose,
  frameWords: () => describeFrame,
};

interface CurrentAction {
  request: CardRequest;
  report(event: ReaderEvent): void;
  /** Aborts the transaction at the terminal; undefined before it starts. */
  stop?: AbortRequest;
}

/**
 * Creates a reader for a payment terminal. The terminal authorises with its own bank, so the reader reports only the
 * outcome, not the card or the PIN.
 */
function createZvtReader(parts: DriverParts): Reader {
  const { log, onReversal } = parts;
  const terminal = createZvtTerminal(parts);
  let current: CurrentAction | undefined;

  const reverseLate = async (request: CardRequest, { receiptNumber, terminalId }: TransactionStatus) => {
    if (receiptNumber === undefined) return;
    const { actionId, amountMinor, currency } = request;
    const transaction = {
      actionId,
      reference: referenceOf(receiptNumber, terminalId),
      amountMinor,
      currency,
    };
    try {
      await terminal.reverse(receiptNumber, undefined);
    } catch (error) {
      onReversal?.({ ...transaction, outcome: 'NotReversed', reason: messageOf(error) });
      throw error;
    }
    log.warn({ actionId, receiptNumber }, 'a late approval was reversed');
    onReversal?.({ ...transaction, outcome: 'Reversed' });
  };
  const run = async (work: CurrentAction, stop: AbortRequest) => {
    const { actionId } = work.request;
    try {
      const outcome = await terminal.transact(work.request, stop);
      if (current === work) return work.report(eventOf(outcome));
      // The action ended before the approval arrived.
      if (outcome.type === 'approved') await reverseLate(work.request, outcome.status);
    } catch (error) {
      const reason = messageOf(error);
      if (current === work) work.report({ type: 'reader.failed', reason });
      else log.warn({ actionId, reason }, 'the terminal failed after the action');
    }
  };
  const abortCurrent = () => {
    current?.stop?.request();
    current = undefined;
  };
  return {
    name: 'zvt',
    authoriser: 'device',
    begin(request, report) {
      abortCurrent();
      current = { request, report };
    },
    awaitCard() {
      if (!current || current.stop) return;
      current.stop = createAbortRequest();
      void run(current, current.stop);
    },
    // The terminal asks for the PIN itself.
    awaitPin() {},
    verifyPin() {},
    async reverse(_request, { reference }) {
      const known = parseReference(reference);
      if (!known) throw new Fault('reader', `'${reference}' is not a receipt of a ZVT terminal`);
      await terminal.reverse(known.receiptNumber, known.terminalId);
    },
    end: abortCurrent,
    async close() {
      abortCurrent();
      await terminal.close();
    },
  };
}

function eventOf(outcome: TransactionOutcome): ReaderEvent {
  if (outcome.type === 'aborted') return { type: 'cancel.pressed' };
  if (outcome.type === 'declined') return { type: 'device.declined', reason: outcome.text };
  const { status, receipt } = outcome;
  const approval = approvalOf(status);
  if (!approval) return { type: 'reader.failed', reason: 'the terminal approved without a receipt number' };
  return { type: 'device.approved', card: status.card, approval, ...(receipt && { receipt }) };
}

const LINE_ADVICE = 'set the terminal to ZVT, 9600 baud, 8N2';
const TCP_ADVICE = 'set the terminal to ZVT over TCP, without TLS';

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  // This may be a real terminal, so pending reversals are left alone.
  const { pendingReversals: _, ...without } = parts;
  const terminal = createZvtTerminal({ ...without, allowRealTerminal: true, readOnly: true });
  let isTcp = false;
  const steps: DeviceCheck[] = [
    {
      step: 'open the port',
      advice: 'is the cable in, and may you open the port? See docs/readers/zvt.md',
      async run() {
        const port = await parts.open(LINE);
        isTcp = port.path.startsWith(TCP_PREFIX);
        await port.close();
        return port.path;
      },
    },
    {
      step: 'register (06 00)',
      get advice() {
        return isTcp ? TCP_ADVICE : LINE_ADVICE;
      },
      run: () => describeTerminal(terminal),
    },
    {
      step: 'last receipt (06 20)',
      showsCards: true,
      advice:
        'a terminal without repeat receipt cannot be used: after a lost connection its outcome is unknown',
      async run() {
        const receiptNumber = await terminal.readLastReceipt();
        return receiptNumber === undefined ? 'none stored' : `number ${receiptNumber}`;
      },
    },
    {
      step: 'status enquiry (05 01)',
      advice: 'finish what the terminal shows, then try again',
      async run() {
        await terminal.checkReady();
        return 'ready';
      },
    },
  ];
  if (parts.allowRealTerminal === false) steps.splice(2, 0, mayBeUsed(terminal));
  try {
    yield* runChecks(steps);
  } finally {
    await terminal.close();
  }
}

function mayBeUsed(terminal: ZvtTerminal): DeviceCheck {
  return {
    step: 'permission',
    advice: 'start the agent with --allow-real-terminal only if real money may move',
    async run() {
      const { deviceName } = await terminal.identify();
      assertAllowed(deviceName, { allowRealTerminal: false });
      return 'our twin';
    },
  };
}

async function describeTerminal(terminal: ZvtTerminal): Promise<string> {
  const { deviceName, terminalId, isTwin } = await terminal.identify();
  const id = terminalId ? `terminal ${terminalId}` : 'a terminal without an id';
  const kind = isTwin ? 'our twin' : 'a real terminal: it is used only with --allow-real-terminal';
  return `${deviceName ?? 'no device name'}, ${id}, ${kind}`;
}
