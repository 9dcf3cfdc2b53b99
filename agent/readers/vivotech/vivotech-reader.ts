import { messageOf } from '../../../protocol/failures.ts';
import { CardError } from '../../emv/card-error.ts';
import { CardLostError } from '../card-slot.ts';
import type { DeviceConnection } from '../device-connection.ts';
import type { DriverParts } from '../driver.ts';
import { createKernelSession, TransactionAborted, type KernelSession } from '../kernel-session.ts';
import { reportMissingCard } from '../report-missing-card.ts';
import { abortableDelay } from '../abortable-delay.ts';
import type { CardRequest, Reader, ReaderEvent } from '../reader.ts';
import type { CardFinder } from './find-card.ts';
import type { VivotechFrame } from './frame.ts';
import { createLink } from './link.ts';
import { processCard } from './process-card.ts';

/** Between a card that could not be read and the next look: time to hold it better, or to take it away. */
const RETRY_PAUSE_MS = 1_000;
/** The action says how long a card may take; this only makes sure that no wait is for ever. */
const CARD_LIMIT_MS = 900_000;

interface VivotechReaderParts extends DriverParts {
  connection: DeviceConnection<VivotechFrame>;
  finder: CardFinder;
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

/** The reader port above a payment reader: it finds the card and runs the kernel, we ask the issuer. */
export function createVivotechReader(parts: VivotechReaderParts): Reader {
  const { connection, finder, pinPad, clock, log } = parts;
  let work: Work | undefined;

  const tell = (mine: Work, fact: ReaderEvent) =>
    queueMicrotask(() => {
      if (work === mine) mine.report(fact);
    });
  const serve = async (mine: Work, again: boolean): Promise<void> => {
    try {
      if (again) await abortableDelay(clock, RETRY_PAUSE_MS, mine.ended.signal);
      await connection.exchange(CARD_LIMIT_MS, async (channel) => {
        const { request, ended } = mine;
        const link = createLink(channel, clock);
        if (ended.signal.aborted) return;
        const search = finder.find(link, request, ended.signal);
        const found = await reportMissingCard(clock, search, (fact) => tell(mine, fact));
        if (!found || found.type === 'nobody') return;
        const tellIt = (fact: ReaderEvent) => {
          if (fact.type === 'card.unreadable') mine.phase = 'over';
          tell(mine, fact);
        };
        const session = (mine.session = createKernelSession({ ...parts, tell: tellIt }));
        if (ended.signal.aborted) session.stop();
        await processCard({ ...parts, link, request, session, tell: tellIt }, found);
      });
    } catch (error) {
      const fact = eventOfFailure(mine, error);
      if (!fact) return;
      log.debug({ reader: 'ViVOtech2', fact: fact.type, reason: messageOf(error) }, 'a card was not served');
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
    name: 'ViVOtech2',
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

/** What a transaction that broke off means for the terminal; undefined when it has given up by itself. */
function eventOfFailure({ session }: Work, error: unknown): ReaderEvent | undefined {
  if (error instanceof TransactionAborted) return undefined;
  const reason = messageOf(error);
  if (session?.finishing) return { type: 'card.refused', reason };
  if (!(error instanceof CardLostError || error instanceof CardError))
    return { type: 'reader.failed', reason };
  if (error instanceof CardLostError && session?.pinAsked) return { type: 'card.removed' };
  return { type: 'card.unreadable', reason };
}
