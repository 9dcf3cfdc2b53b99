import { messageOf } from '../../../protocol/failures.ts';
import { CardError } from '../../emv/card-error.ts';
import { CardGone } from '../card-slot.ts';
import type { DeviceLine } from '../device-line.ts';
import type { DriverParts } from '../driver.ts';
import { createKernelSession, Stopped, type KernelSession } from '../kernel-session.ts';
import { noticeNoCard } from '../notice-no-card.ts';
import { abortableDelay } from '../abortable-delay.ts';
import type { CardRequest, Reader, ReaderFact } from '../reader.ts';
import type { CardFinder } from './find-card.ts';
import type { VivotechFrame } from './frame.ts';
import { createLink } from './link.ts';
import { serveCard } from './serve-card.ts';

/** Between a card that could not be read and the next look: time to hold it better, or to take it away. */
const RETRY_PAUSE_MS = 1_000;
/** The action says how long a card may take; this only makes sure that no wait is for ever. */
const CARD_LIMIT_MS = 900_000;

export interface VivotechReaderParts extends DriverParts {
  line: DeviceLine<VivotechFrame>;
  finder: CardFinder;
}

/** What the reader does for one action. */
interface Work {
  request: CardRequest;
  report(fact: ReaderFact): void;
  /** `over`: the card could not be used, and the terminal may ask for another. */
  phase: 'idle' | 'serving' | 'over';
  /** The card being served; a new one for each card. */
  session: KernelSession | undefined;
  ended: AbortController;
}

/** The reader port above a payment reader: it finds the card and runs the kernel, we ask the issuer. */
export function createVivotechReader(parts: VivotechReaderParts): Reader {
  const { line, finder, pinPad, clock, log } = parts;
  let work: Work | undefined;

  const tell = (mine: Work, fact: ReaderFact) =>
    queueMicrotask(() => {
      if (work === mine) mine.report(fact);
    });
  const serve = async (mine: Work, again: boolean): Promise<void> => {
    try {
      if (again) await abortableDelay(clock, RETRY_PAUSE_MS, mine.ended.signal);
      await line.exchange(CARD_LIMIT_MS, async (wire) => {
        const { request, ended } = mine;
        const link = createLink(wire, clock);
        if (ended.signal.aborted) return;
        const search = finder.find(link, request, ended.signal);
        const found = await noticeNoCard(clock, search, (fact) => tell(mine, fact));
        if (!found || found.type === 'nobody') return;
        const tellIt = (fact: ReaderFact) => {
          if (fact.type === 'card.unreadable') mine.phase = 'over';
          tell(mine, fact);
        };
        const session = (mine.session = createKernelSession({ ...parts, tell: tellIt }));
        if (ended.signal.aborted) session.stop();
        await serveCard({ ...parts, link, request, session, tell: tellIt }, found);
      });
    } catch (error) {
      const fact = factOfFailure(mine, error);
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
    awaitPin: () => work?.session?.hear('pin', undefined),
    verifyPin: () => work?.session?.hear('verify', undefined),
    completeCard: (answer) => work?.session?.hear('answer', answer),
    end,
    async close() {
      end();
      await line.close();
    },
  };
}

/** What a transaction that broke off means for the terminal; undefined when it has given up by itself. */
function factOfFailure({ session }: Work, error: unknown): ReaderFact | undefined {
  if (error instanceof Stopped) return undefined;
  const reason = messageOf(error);
  if (session?.finishing) return { type: 'card.refused', reason };
  if (!(error instanceof CardGone || error instanceof CardError)) return { type: 'reader.failed', reason };
  if (error instanceof CardGone && session?.pinAsked) return { type: 'card.removed' };
  return { type: 'card.unreadable', reason };
}
