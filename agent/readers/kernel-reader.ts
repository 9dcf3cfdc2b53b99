import { abortableDelay, type Clock } from '../../protocol/clock.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import { messageOf } from '../../protocol/failures.ts';
import { CardError, type CardConnection } from '../emv/card-connection.ts';
import { runContactKernel } from '../emv/contact-kernel.ts';
import { runEntryPoint } from '../emv/entry-point.ts';
import { CVM_REQUIRED_LIMIT_MINOR, terminalData, type Transaction } from '../emv/terminal.ts';
import { CardLostError, reportMissingCard, type CardSlot } from './card-slot.ts';
import type { DriverParts } from './driver.ts';
import { createKernelSession, TransactionAborted, type KernelSession } from './kernel-session.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import type { CardRequest, Reader, ReaderEvent } from './reader.ts';

/** Time for a card to answer a command, with slow cryptography. After it the card counts as lost. */
const COMMAND_LIMIT_MS = 10_000;
/** Pause after an unreadable card, to present it again or remove it. */
const RETRY_PAUSE_MS = 1_000;
/** The action has its own deadline; this only bounds the wait. */
const CARD_LIMIT_MS = 900_000;

export interface KernelReaderParts extends Omit<DriverParts, 'open'> {
  name: string;
  slot: CardSlot;
  /** CVM required limit of contactless cards, in minor units by currency code. */
  cvmLimitsMinor?: Readonly<Record<string, number>>;
}

/** State of the reader during one action. */
interface CurrentAction {
  request: CardRequest;
  report(event: ReaderEvent): void;
  /** `over`: the card could not be used, and the terminal may look for another. */
  phase: 'idle' | 'serving' | 'over';
  /** Session of the current card. */
  session: KernelSession | undefined;
  ended: AbortController;
}

/**
 * Creates a reader for a card slot, whose cards the EMV kernel processes (agent/emv). It processes one card at a time;
 * the next one waits until the previous transaction has ended.
 */
export function createKernelReader(parts: KernelReaderParts): Reader {
  const { name, slot, pinPad, log } = parts;
  let work: CurrentAction | undefined;
  let sequence = 0;
  let busy: Promise<void> = Promise.resolve();

  const emit = (mine: CurrentAction, event: ReaderEvent) =>
    queueMicrotask(() => {
      if (work === mine) mine.report(event);
    });
  const serve = async (mine: CurrentAction): Promise<void> => {
    if (mine.ended.signal.aborted) return;
    sequence += 1;
    try {
      await processCard(parts, mine, { sequence, emit: (event) => emit(mine, event) });
    } catch (error) {
      const event = eventOfFailure(mine, error);
      if (!event) return;
      log.debug(
        { reader: name, event: event.type, reason: messageOf(error) },
        'a card could not be processed',
      );
      mine.phase = 'over';
      emit(mine, event);
    }
  };
  const end = () => {
    const mine = work;
    work = undefined;
    mine?.ended.abort();
    mine?.session?.stop();
  };
  pinPad.onCancel(() => {
    if (work) emit(work, { type: 'cancel.pressed' });
  });

  return {
    name,
    authoriser: 'server',
    pinEntry: pinPad,
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
  emit(event: ReaderEvent): void;
}

/** Waits for a card and processes it. @throws CardLostError, CardError, TransactionAborted, Fault. */
async function processCard(
  parts: KernelReaderParts,
  mine: CurrentAction,
  { sequence, emit }: Service,
): Promise<void> {
  const { clock, slot, random } = parts;
  mine.session = undefined;
  const wait = reportMissingCard(clock, slot.waitForCard(mine.ended.signal), emit);
  const connection = await withTimeout(clock, CARD_LIMIT_MS, wait, 'no card was presented');
  if (!connection) return;
  const session = createKernelSession({ ...parts, emit });
  mine.session = session;
  if (mine.ended.signal.aborted) session.stop();
  try {
    emit({ type: 'card.presented', entryMode: connection.technology });
    const transaction = transactionOf(parts, mine.request, { sequence, technology: connection.technology });
    connection.onRemoved?.(() => session.onCardRemoved());
    const card = withCommandTimeout(connection, clock, session);
    if (connection.technology === 'Contact') {
      const { refusalReason, requestPin, pinRejected, goOnline, submitCard } = session;
      const host = { random, refusalReason, requestPin, pinRejected, goOnline, submitCard };
      const result = await runContactKernel(card, transaction, host);
      if (result.outcome === 'completed') emit({ type: 'card.completed' });
      else if (result.outcome === 'refused') emit({ type: 'card.refused', reason: result.reason });
      else if (result.outcome === 'declined') emit({ type: 'card.declined', reason: result.reason });
      return;
    }
    const { refusalReason } = session;
    const tap = await runEntryPoint(card, terminalData(transaction, random), { transaction, refusalReason });
    await connection.release();
    if (tap.outcome === 'declined') emit({ type: 'card.declined', reason: tap.reason });
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

const GENERATE_AC = 0xae;

/** Whether an answer has the application cryptogram, 9F26: of GENERATE AC, or of a contactless card earlier. */
function holdsCryptogram(command: Uint8Array, answer: Uint8Array): boolean {
  const isSuccess = answer.at(-2) === 0x90 && answer.at(-1) === 0x00;
  return isSuccess && (command[1] === GENERATE_AC || toHex(answer).includes('9F2608'));
}

/**
 * Adds a timeout to each command, and to the reason of a lost card whether it had made its cryptogram. After the end of
 * the action only the completion of a card may continue.
 */
function withCommandTimeout(
  connection: CardConnection,
  clock: Clock,
  session: KernelSession,
): CardConnection {
  let hasCryptogram = false;
  return {
    technology: connection.technology,
    async transceive(command) {
      if (session.signal.aborted && !session.finishing) throw new TransactionAborted();
      const gone = () => new CardLostError('the card does not answer');
      try {
        const answer = await withTimeout(clock, COMMAND_LIMIT_MS, connection.transceive(command), gone);
        hasCryptogram ||= holdsCryptogram(command, answer);
        return answer;
      } catch (error) {
        if (!(error instanceof CardLostError)) throw error;
        throw new CardLostError(`${error.message} (it had made ${hasCryptogram ? 'its' : 'no'} cryptogram)`);
      }
    },
    release: () => connection.release(),
  };
}

/** Returns the event for a transaction that failed; undefined when the terminal aborted it. */
function eventOfFailure({ session }: CurrentAction, error: unknown): ReaderEvent | undefined {
  if (error instanceof TransactionAborted) return undefined;
  const reason = messageOf(error);
  if (!(error instanceof CardLostError || error instanceof CardError))
    return { type: 'reader.failed', reason };
  if (session?.finishing) return { type: 'card.refused', reason };
  if (error instanceof CardLostError && session?.pinRequested) return { type: 'card.removed' };
  return { type: 'card.unreadable', reason };
}
