import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { DriverModule, DriverParts, Finding } from '../driver.ts';
import type { CardRequest, Reader, ReaderFact } from '../reader.ts';
import { createStop, type Stop } from './command-exchange.ts';
import { approvalOf, readReference } from './status-information.ts';
import { createZvtTerminal, LINE } from './terminal.ts';
import type { TransactionOutcome } from './transactions.ts';

/** Driver of payment terminals that speak ZVT (PA00P015, PA00P016), over a serial line or TCP. */
export const driver: DriverModule = { createReader: createZvtReader, examine };

interface Work {
  request: CardRequest;
  report(fact: ReaderFact): void;
  /** The transaction at the terminal, once it was begun. */
  stop?: Stop;
}

/**
 * A payment terminal as a reader. It does everything by itself and asks its own bank; where it stands between
 * begin and end is its own business, so no card or PIN is reported, only what came of it.
 */
function createZvtReader(parts: DriverParts): Reader {
  const { log } = parts;
  const terminal = createZvtTerminal(parts);
  let current: Work | undefined;

  const run = async (work: Work, stop: Stop) => {
    const { actionId } = work.request;
    try {
      const outcome = await terminal.transact(work.request, stop);
      if (current === work) return work.report(factOf(outcome));
      const receiptNumber = outcome.type === 'approved' ? outcome.status.receiptNumber : undefined;
      if (receiptNumber === undefined) return;
      // It was wanted until the terminal was done, and then not any more.
      await terminal.reverse(receiptNumber, undefined);
      log.warn({ actionId, receiptNumber }, 'a late approval was taken back');
    } catch (error) {
      const reason = messageOf(error);
      if (current === work) work.report({ type: 'reader.failed', reason });
      else log.warn({ actionId, reason }, 'the terminal failed after the action');
    }
  };
  const giveUp = () => {
    current?.stop?.ask();
    current = undefined;
  };
  return {
    name: 'zvt',
    authoriser: 'device',
    begin(request, report) {
      giveUp();
      current = { request, report };
    },
    awaitCard() {
      if (!current || current.stop) return;
      current.stop = createStop();
      void run(current, current.stop);
    },
    // The terminal has its own keys, and asks when it has to.
    awaitPin() {},
    verifyPin() {},
    async reverse(_request, { reference }) {
      const known = readReference(reference);
      if (!known) throw new Fault('reader', `'${reference}' is no receipt of a ZVT terminal`);
      await terminal.reverse(known.receiptNumber, known.terminalId);
    },
    end: giveUp,
    async close() {
      giveUp();
      await terminal.close();
    },
  };
}

function factOf(outcome: TransactionOutcome): ReaderFact {
  if (outcome.type === 'aborted') return { type: 'cancel.pressed' };
  if (outcome.type === 'declined') return { type: 'device.declined', reason: outcome.text };
  const { status, receipt } = outcome;
  const approval = approvalOf(status);
  if (!approval) return { type: 'reader.failed', reason: 'the terminal approved without a receipt number' };
  return { type: 'device.approved', card: status.card, approval, ...(receipt && { receipt }) };
}

async function* examine(parts: DriverParts): AsyncIterable<Finding> {
  // Also a real terminal is looked at, whose money is not ours to move: what an agent owes there stays owed.
  const { debts: _, ...without } = parts;
  const terminal = createZvtTerminal({ ...without, allowRealTerminal: true, onlyLooks: true });
  try {
    const opened = await attempt(async () => {
      const port = await parts.open(LINE);
      await port.close();
      return port.path;
    });
    yield finding(
      'open the port',
      opened,
      'is the cable in, and may you open the port? See docs/readers/zvt.md',
    );
    if (!opened.ok) return;
    const identity = await attempt(async () => {
      const { deviceName, terminalId, isTwin } = await terminal.identify();
      const id = terminalId ? `terminal ${terminalId}` : 'a terminal without an id';
      const kind = isTwin ? 'our twin' : 'a real terminal: it is used only with --allow-real-terminal';
      return `${deviceName ?? 'no device name'}, ${id}, ${kind}`;
    });
    yield finding('register (06 00)', identity, 'set the terminal to ZVT, 9600 baud, 8N2, without TLS');
    if (!identity.ok) return;
    const ready = await attempt(async () => {
      await terminal.enquire();
      return 'ready';
    });
    yield finding('status enquiry (05 01)', ready, 'finish what the terminal shows, then try again');
  } finally {
    await terminal.close();
  }
}

type Attempt = { ok: boolean; detail: string };

async function attempt(run: () => Promise<string>): Promise<Attempt> {
  try {
    return { ok: true, detail: await run() };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

function finding(step: string, { ok, detail }: Attempt, advice: string): Finding {
  return { step, ok, detail, ...(!ok && { advice }) };
}
