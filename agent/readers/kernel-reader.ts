import type { Clock } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { CardError } from '../emv/card-error.ts';
import { runContactKernel } from '../emv/contact-kernel.ts';
import { runEntryPoint } from '../emv/entry-point.ts';
import { CVM_REQUIRED_LIMIT_MINOR, terminalData, type Transaction } from '../emv/terminal.ts';
import { CardLostError, type CardSlot } from './card-slot.ts';
import type { DriverParts } from './driver.ts';
import { createKernelSession, TransactionAborted, type KernelSession } from './kernel-session.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import { reportMissingCard } from './report-missing-card.ts';
import { abortableDelay } from './abortable-delay.ts';
import type { CardRequest, Reader, ReaderEvent } from './reader.ts';
import type { CardConnection } from '../emv/card-connection.ts';

/** A card that has not answered a command by then is as good as gone, however slow its cryptography. */
const COMMAND_LIMIT_MS = 10_000;
/** Between a card that could not be read and the next look: time to hold it better, or to take it away. */
const RETRY_PAUSE_MS = 1_000;
/** The action says how long a card may take; this only makes sure that no wait is for ever. */
const CARD_LIMIT_MS = 900_000;

export interface KernelReaderParts extends Omit<DriverParts, 'open'> {
  name: string;
  slot: CardSlot;
  /** Over it the holder of a tapped card is verified: by currency code, minor units. */
  cvmLimitsMinor?: Readonly<Record<string, number>>;
}

/** What the reader does for one action. */
interface Work {
  request: CardRequest;
  report(fact: ReaderEvent): void;
  /** `over`: the card could not be used, and the terminal may ask for another. */
  phase: 'idle' | 'serving' | 'over';
  /** The card being served; a new one for each card. */
  session: KernelSession | undefined;
  ended: AbortController;
}

/**
 * The reader port above a dumb reader: cards of the slot are served by the EMV kernel (agent/emv). One card at a
 * time; what `end` leaves unfinished ends by itself, and the next card waits for that.
 */
export function createKernelReader(parts: KernelReaderParts): Reader {
  const { name, slot, pinPad, log } = parts;
  let work: Work | undefined;
  let sequence = 0;
  let busy: Promise<void> = Promise.resolve();

  const tell = (mine: Work, fact: ReaderEvent) =>
    queueMicrotask(() => {
      if (work === mine) mine.report(fact);
    });
  const serve = async (mine: Work): Promise<void> => {
    if (mine.ended.signal.aborted) return;
    sequence += 1;
    try {
      await processCard(parts, mine, { sequence, tell: (fact) => tell(mine, fact) });
    } catch (error) {
      const fact = eventOfFailure(mine, error);
      if (!fact) return;
      log.debug({ reader: name, fact: fact.type, reason: messageOf(error) }, 'a card was not served');
      mine.phase = 'over';
      tell(mine, fact);
    }
  };
  const end = () => {
    const mine = work;
    work = undefined;
    mine?.ended.abort();
    mine?.session?.stop();
  };
  pinPad.onCancel(() => {
    if (work) tell(work, { type: 'cancel.pressed' });
  });

  return {
    name,
    authoriser: 'server',
    begin(request, report) {
      end();
      work = { request, report, phase: 'idle', session: undefined, ended: new AbortController() };
    },
    awaitCard() {
      const mine = work;
      if (!mine || mine.phase === 'serving') return;
      const again = mine.phase === 'over';
      mine.phase = 'serving';
      busy = busy.then(async () => {
        if (again) await abortableDelay(parts.clock, RETRY_PAUSE_MS, mine.ended.signal);
        await serve(mine);
      });
    },
    awaitPin: () => work?.session?.receiveInput('pin', undefined),
    verifyPin: () => work?.session?.receiveInput('verify', undefined),
    completeCard: (answer) => work?.session?.receiveInput('answer', answer),
    end,
    async close() {
      end();
      await slot.close();
      await busy;
    },
  };
}

interface Service {
  sequence: number;
  tell(fact: ReaderEvent): void;
}

/** Waits for a card and serves it. @throws whatever ends the transaction but its own outcome. */
async function processCard(parts: KernelReaderParts, mine: Work, { sequence, tell }: Service): Promise<void> {
  const { clock, slot, random } = parts;
  mine.session = undefined;
  const wait = reportMissingCard(clock, slot.waitForCard(mine.ended.signal), tell);
  const connection = await withTimeout(clock, CARD_LIMIT_MS, wait, 'no card was presented');
  if (!connection) return;
  const session = createKernelSession({ ...parts, tell });
  mine.session = session;
  if (mine.ended.signal.aborted) session.stop();
  try {
    tell({ type: 'card.presented', entryMode: connection.technology });
    const transaction = transactionOf(parts, mine.request, { sequence, technology: connection.technology });
    connection.onRemoved?.(() => session.onCardRemoved());
    const card = limitedConnection(connection, clock, session);
    if (connection.technology === 'Contact') {
      const { refusalReason, askPin, pinWrong, goOnline, submitCard } = session;
      const host = { random, refusalReason, askPin, pinWrong, goOnline, submitCard };
      const result = await runContactKernel(card, transaction, host);
      if (result.outcome === 'completed') tell({ type: 'card.completed' });
      else if (result.outcome === 'refused') tell({ type: 'card.refused', reason: result.reason });
      else if (result.outcome === 'declined') tell({ type: 'card.declined', reason: result.reason });
      return;
    }
    const { refusalReason } = session;
    const tap = await runEntryPoint(card, terminalData(transaction, random), { transaction, refusalReason });
    await connection.release();
    if (tap.outcome === 'declined') tell({ type: 'card.declined', reason: tap.reason });
    else await session.completeTap(tap.store, tap.holder, tap.isPhone);
  } finally {
    await connection.release();
  }
}

function transactionOf(
  parts: KernelReaderParts,
  { type, amountMinor, currency }: CardRequest,
  card: Pick<Transaction, 'sequence' | 'technology'>,
): Transaction {
  return {
    type,
    amountMinor,
    currency,
    atMs: parts.clock.nowMs(),
    countryCode: parts.countryCode,
    cvmRequiredLimitMinor: parts.cvmLimitsMinor?.[currency] ?? CVM_REQUIRED_LIMIT_MINOR,
    ...card,
  };
}

/** Each command has its time; once the action is over only a card that waits for its end is finished. */
function limitedConnection(connection: CardConnection, clock: Clock, session: KernelSession): CardConnection {
  return {
    technology: connection.technology,
    async transceive(command) {
      if (session.signal.aborted && !session.finishing) throw new TransactionAborted();
      const gone = () => new CardLostError('the card does not answer');
      return withTimeout(clock, COMMAND_LIMIT_MS, connection.transceive(command), gone);
    },
    release: () => connection.release(),
  };
}

/** What a transaction that broke off means for the terminal; undefined when it has given up by itself. */
function eventOfFailure({ session }: Work, error: unknown): ReaderEvent | undefined {
  if (error instanceof TransactionAborted) return undefined;
  const reason = messageOf(error);
  if (!(error instanceof CardLostError || error instanceof CardError))
    return { type: 'reader.failed', reason };
  if (session?.finishing) return { type: 'card.refused', reason };
  if (error instanceof CardLostError && session?.pinAsked) return { type: 'card.removed' };
  return { type: 'card.unreadable', reason };
}
