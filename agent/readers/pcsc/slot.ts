import { abortableDelay, type Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { CardConnection } from '../../emv/card-connection.ts';
import { CardLostError, type CardSlot } from '../card-slot.ts';
import type { FrameTrace } from '../frame-channel.ts';
import { commandForT0 } from '../t0-command.ts';
import { cardKindOf } from './card-kind.ts';
import {
  CODE,
  PROTOCOL,
  SHARE_EXCLUSIVE,
  STATE,
  UNPOWER_CARD,
  type Handle,
  type ReaderState,
} from './pcsc-interface.ts';
import { errorOf } from './return-codes.ts';
import { createPcscSessions, isFreed, type PcscPort, type PcscSession } from './session.ts';
import { waitForState } from './wait-for-state.ts';

// Programs such as gpg's scdaemon look at each new card for a moment.
const BUSY_LIMIT_MS = 3_000;
const RETRY_MS = 100;

interface SlotParts {
  port: PcscPort;
  clock: Clock;
  log: Log;
  trace?: FrameTrace | undefined;
}

/** Creates the card slot of a reader of the smart card service, contact or contactless. */
export function createPcscSlot(parts: SlotParts): CardSlot {
  const { port, clock, log } = parts;
  const sessions = createPcscSessions(port, clock);
  const closed = new AbortController();
  /** Event count of the card of the last transaction, which must be removed first. */
  let usedCount: number | undefined;
  const isNew = ({ event }: ReaderState) => {
    const isPresent = (event & STATE.present) !== 0;
    if (!isPresent) usedCount = undefined;
    return isPresent && countOf(event) !== usedCount;
  };
  const onFailure = async (error: unknown) => {
    // The reader may see a card that is lost for a moment as one that never left.
    if (error instanceof CardLostError) usedCount = undefined;
    else await sessions.drop();
  };

  return {
    name: 'PC/SC',
    async waitForCard(signal) {
      const ended = AbortSignal.any([signal, closed.signal]);
      try {
        while (!ended.aborted) {
          const session = await sessions.open();
          const state = await waitForState(session, clock, isNew, ended);
          if (!state) break;
          const card = await connectCard(session, clock, ended);
          if (card === 'gone') {
            await abortableDelay(clock, RETRY_MS, ended);
            continue;
          }
          usedCount = countOf(state.event);
          log.debug({ reader: session.reader, protocol: card.protocol }, 'a card is at the reader');
          return connectionTo({ ...parts, session, state, card, onFailure });
        }
        return undefined;
      } catch (error) {
        await onFailure(error);
        throw error;
      }
    },
    async close() {
      closed.abort();
      await sessions.drop();
    },
  };
}

/** The high half of an event word, which counts insertions and removals. */
function countOf(event: number): number {
  return event >>> 16;
}

/** A card that is connected, or why it cannot be used. */
export interface ConnectedCard {
  handle: Handle | undefined;
  protocol: number;
  problem?: string;
}

/**
 * Connects to the card with exclusive use. Waits for other programs for 3 s. Resolves with `gone` when the card was
 * removed meanwhile.
 * @throws Fault `reader` when another program keeps the card, or the reader or its service is gone.
 */
export async function connectCard(
  { pcsc, cards, reader }: PcscSession,
  clock: Clock,
  signal: AbortSignal,
): Promise<ConnectedCard | 'gone'> {
  const endMs = clock.nowMs() + BUSY_LIMIT_MS;
  const request = { reader, share: SHARE_EXCLUSIVE, protocols: PROTOCOL.t0 | PROTOCOL.t1 };
  for (;;) {
    const { code, card, protocol } = await pcsc.connect(cards, request);
    if (code === CODE.ok) return { handle: card, protocol };
    if (code === CODE.noCard || code === CODE.removedCard) return 'gone';
    const error = errorOf(code);
    if (error instanceof CardLostError) return { handle: undefined, protocol: 0, problem: error.message };
    if (code !== CODE.sharingViolation || clock.nowMs() >= endMs || signal.aborted) throw error;
    await abortableDelay(clock, RETRY_MS, signal);
  }
}

interface ConnectionParts extends SlotParts {
  session: PcscSession;
  state: ReaderState;
  card: ConnectedCard;
  onFailure(error: unknown): Promise<void>;
}

/** Returns the connection to a card, which frees it after an error. */
export function connectionTo(parts: ConnectionParts): CardConnection {
  const { session, state, card, clock, log, trace, onFailure } = parts;
  const { pcsc } = session;
  const { technology, memory } = cardKindOf(state.atr);
  let problem = card.problem ?? (memory === undefined ? undefined : notPayment(memory));
  let { handle } = card;
  const released = new AbortController();
  let watching: Promise<void> | undefined;
  // The reader stays taken until the handle is given back, also that of a card that was removed.
  const disconnect = async () => {
    const given = handle;
    handle = undefined;
    if (given === undefined || (await isFreed(clock, pcsc.disconnect(given, UNPOWER_CARD)))) return;
    const reason = 'the reader has not ended a command';
    log.warn({ reader: session.reader, reason }, 'the card was not given back');
    // Its context serves no other card.
    await onFailure(new Fault('reader', reason));
  };
  const transmit = async (to: Handle, apdu: Uint8Array) => {
    const command = card.protocol === PROTOCOL.t0 ? commandForT0(apdu) : apdu;
    trace?.('out', command);
    const { code, answer } = await pcsc.transmit(to, card.protocol, command);
    if (code !== CODE.ok) throw errorOf(code);
    trace?.('in', answer);
    if (answer.length < 2) throw new CardLostError('the card answers without status bytes');
    return answer;
  };

  return {
    technology,
    async transceive(apdu) {
      if (problem !== undefined || handle === undefined) throw new CardLostError(problem);
      try {
        return await transmit(handle, apdu);
      } catch (error) {
        // A command that ends only after the release says nothing of the session that follows.
        if (released.signal.aborted) throw error;
        problem = messageOf(error);
        released.abort();
        await disconnect();
        await onFailure(error);
        throw error;
      }
    },
    onRemoved(listener) {
      const isEmpty = ({ event }: ReaderState) => (event & STATE.present) === 0;
      watching ??= waitForState(session, clock, isEmpty, released.signal).then(
        (found) => found && listener(),
        (error: unknown) => {
          log.debug({ reason: messageOf(error) }, 'the reader is gone during a transaction');
          listener();
        },
      );
    },
    async release() {
      problem ??= 'the card was released';
      released.abort();
      await Promise.allSettled([watching, disconnect()]);
    },
  };
}

function notPayment(memory: string): string {
  return `this is not a payment card but a memory card (${memory}): present a payment card`;
}
