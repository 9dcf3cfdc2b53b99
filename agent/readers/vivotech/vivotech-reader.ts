import { messageOf } from '../../../protocol/failures.ts';
import { abortableDelay } from '../../../protocol/clock.ts';
import { CardError } from '../../emv/card-connection.ts';
import { CardLostError, reportMissingCard } from '../card-slot.ts';
import type { DeviceConnection } from '../device-connection.ts';
import type { DriverParts } from '../driver.ts';
import { createKernelSession, TransactionAborted, type KernelSession } from '../kernel-session.ts';
import type { CardRequest, Reader, ReaderEvent } from '../reader.ts';
import * as commands from './commands.ts';
import { CARD_TIMEOUT_S, GRACE_MS, STATUS, UNSUPPORTED_STATUSES, type CommandName } from './constants.ts';
import type { VivotechFrame } from './frame.ts';
import { createLink, type VivotechLink } from './link.ts';
import { processCard } from './process-card.ts';
import { parseActivation, type Activation } from './transaction-result.ts';

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

/** Commands to look for a card, those with more interfaces first. A model refuses those that it does not have. */
const ACTIVATION_COMMANDS = ['activateAll', 'activate', 'contactStart'] as const satisfies CommandName[];
type ActivationCommand = (typeof ACTIVATION_COMMANDS)[number];

/**
 * Looks for a card repeatedly, with the first command that the model supports. Returns undefined when `signal` is aborted
 * first, after a cancel command.
 */
export async function findCard(
  link: VivotechLink,
  request: CardRequest,
  signal: AbortSignal,
): Promise<Activation | undefined> {
  // A reader may refuse a command once only, so each action begins with all of them.
  let remaining: readonly ActivationCommand[] = ACTIVATION_COMMANDS;
  const limitMs = CARD_TIMEOUT_S * 1000 + GRACE_MS;
  for (;;) {
    const [name] = remaining;
    if (!name) return { type: 'failed', reason: 'the reader has no command to look for a card' };
    const frame = await link.runCommand(name, dataOf(name, request), { limitMs, signal });
    if (signal.aborted) {
      // A card that was found meanwhile is not used.
      await link.exchange('cancel').catch(() => {});
      return undefined;
    }
    // A lost response may have been that of a card, which has to be presented again. A reader that allows no
    // command is still running an earlier one.
    if (!frame || frame.code === STATUS.notAllowed) await link.exchange('cancel');
    else if (UNSUPPORTED_STATUSES.includes(frame.code)) remaining = remaining.slice(1);
    else {
      const found = parseActivation(frame);
      if (found.type !== 'noCard') return found;
    }
  }
}

function dataOf(name: ActivationCommand, request: CardRequest): Uint8Array {
  return commands[name](request);
}
