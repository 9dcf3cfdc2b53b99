import { messageOf } from '../../../protocol/failures.ts';
import { CardError } from '../../emv/card-error.ts';
import { CardLostError } from '../card-slot.ts';
import type { DeviceConnection } from '../device-connection.ts';
import type { DriverParts } from '../driver.ts';
import { createKernelSession, TransactionAborted, type KernelSession } from '../kernel-session.ts';
import { reportMissingCard } from '../report-missing-card.ts';
import { abortableDelay } from '../abortable-delay.ts';
import type { CardRequest, Reader, ReaderEvent } from '../reader.ts';
import { findCard } from './find-card.ts';
import type { VivotechFrame } from './frame.ts';
import { createLink } from './link.ts';
import { processCard } from './process-card.ts';

/** Pause after an unreadable card, to present it again or remove it. */
const RETRY_PAUSE_MS = 1_000;
/** The action has its own deadline; this only bounds the wait. */
const CARD_LIMIT_MS = 900_000;

interface VivotechReaderParts extends DriverParts {
  connection: DeviceConnection<VivotechFrame>;
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

/** Creates a reader for a payment reader with its own kernel. The server's issuer authorises. */
export function createVivotechReader(parts: VivotechReaderParts): Reader {
  const { connection, pinPad, clock, log } = parts;
  let work: CurrentAction | undefined;

  const emit = (mine: CurrentAction, event: ReaderEvent) =>
    queueMicrotask(() => {
      if (work === mine) mine.report(event);
    });
  const serve = async (mine: CurrentAction, again: boolean): Promise<void> => {
    try {
      if (again) await abortableDelay(clock, RETRY_PAUSE_MS, mine.ended.signal);
      await connection.exchange(CARD_LIMIT_MS, async (channel) => {
        const { request, ended } = mine;
        const link = createLink(channel, clock);
        if (ended.signal.aborted) return;
        const search = findCard(link, request, ended.signal);
        const found = await reportMissingCard(clock, search, (event) => emit(mine, event));
        if (!found || found.type === 'noCard') return;
        const emitEvent = (event: ReaderEvent) => {
          if (event.type === 'card.unreadable') mine.phase = 'over';
          emit(mine, event);
        };
        const session = (mine.session = createKernelSession({ ...parts, emit: emitEvent }));
        if (ended.signal.aborted) session.stop();
        await processCard({ ...parts, link, request, session, emit: emitEvent }, found);
      });
    } catch (error) {
      const event = eventOfFailure(mine, error);
      if (!event) return;
      log.debug(
        { reader: 'ViVOtech2', event: event.type, reason: messageOf(error) },
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
    name: 'ViVOtech2',
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
      void serve(mine, again);
    },
    awaitPin: () => work?.session?.receiveInput('pin', undefined),
    verifyPin: () => work?.session?.receiveInput('verify', undefined),
    completeCard: (answer) => work?.session?.receiveInput('answer', answer),
    end,
    async close() {
      end();
      await connection.close();
    },
  };
}

/** Returns the event for a transaction that failed; undefined when the terminal aborted it. */
function eventOfFailure({ session }: CurrentAction, error: unknown): ReaderEvent | undefined {
  if (error instanceof TransactionAborted) return undefined;
  const reason = messageOf(error);
  if (session?.finishing) return { type: 'card.refused', reason };
  if (!(error instanceof CardLostError || error instanceof CardError))
    return { type: 'reader.failed', reason };
  if (error instanceof CardLostError && session?.pinRequested) return { type: 'card.removed' };
  return { type: 'card.unreadable', reason };
}
