import { abortableDelay, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { OpenPort } from '../byte-port.ts';
import { CardLostError, type CardSlot } from '../card-slot.ts';
import { createDeviceConnection, type DeviceConnection } from '../device-connection.ts';
import type { FrameChannel, FrameTrace } from '../frame-channel.ts';
import { parametersOf, parseAnswerToReset, type AnswerToReset } from './answer-to-reset.ts';
import { createBlockTransmission } from './block-transmission.ts';
import {
  command,
  COMMAND,
  ICC,
  NoResponseError,
  type CommandReply,
  type CommandRequest,
  type Session,
} from './command.ts';
import type { CardConnection } from '../../emv/card-connection.ts';
import { commandForT0 } from '../t0-command.ts';
import { createParser, type Frame } from './frame.ts';

export const CCID_LINE = { baudRate: 115_200 };

const POLL_INTERVAL_MS = 150;
const SHORT_LIMIT_MS = 500;
// A card has 40 000 clock cycles to begin its answer to reset, and 20 160 of its own time units to finish it.
const POWER_LIMIT_MS = 3_000;
const POWER_LONGEST_MS = 6_000;
// From a command to its answer, or to a request for more time.
const BLOCK_LIMIT_MS = 5_000;
// With all the time a card asks for. The kernel gives a card up a little earlier, and the slot is wanted again then.
const EXCHANGE_LIMIT_MS = 12_000;

interface SlotParts {
  open: OpenPort;
  clock: Clock;
  log: Log;
  trace?: FrameTrace | undefined;
}

/** Creates the card slot of a serial CCID reader, for T=0 and T=1 cards at their default speed (ISO/IEC 7816-3). */
export function createCcidSlot(parts: SlotParts): CardSlot {
  const { clock, log } = parts;
  const sequence = { next: 0 };
  const sessionOn = (channel: FrameChannel<Frame>): Session => ({ clock, channel, sequence });
  // Listener for the removal of the current card.
  let removed = () => {};
  const connection: DeviceConnection<Frame> = createDeviceConnection<Frame>({
    ...parts,
    onUnsolicited: (frame) => {
      if (frame.kind === 'slotChange' && !frame.present) removed();
    },
    onChange: (closeReason) => {
      if (closeReason !== undefined) removed();
    },
    settings: CCID_LINE,
    parser: createParser,
    handshake: async (channel) => {
      await slotStatus(sessionOn(channel));
    },
  });
  const on = <T>(work: (session: Session) => Promise<T>) =>
    connection.exchange(EXCHANGE_LIMIT_MS, (channel) => work(sessionOn(channel)));
  // A card without an answer to reset is not powered again until it was removed.
  let silent = false;

  return {
    name: 'CCID',
    async waitForCard(signal) {
      while (!signal.aborted) {
        const { icc } = await on(slotStatus);
        if (icc === ICC.absent) silent = false;
        if (icc !== ICC.absent && !silent && !signal.aborted) {
          const powered = await on(powerOn);
          if (powered.atr === undefined) silent = true;
          log.debug({ protocol: powered.atr?.protocol }, 'a card is in the slot');
          return connect({ connection, on, onRemoved: (listener) => (removed = listener) }, powered);
        }
        await abortableDelay(clock, POLL_INTERVAL_MS, signal);
      }
      return undefined;
    },
    close: () => connection.close(),
  };
}

interface SlotAccess {
  connection: DeviceConnection<Frame>;
  on<T>(work: (session: Session) => Promise<T>): Promise<T>;
  onRemoved(listener: () => void): void;
}

/** Answer to reset of a powered card, or the reason why there is none. */
interface PowerOnResult {
  atr: AnswerToReset | undefined;
  problem: string;
}

export function slotStatus(session: Session): Promise<CommandReply> {
  return command(session, { type: COMMAND.getSlotStatus, limitMs: SHORT_LIMIT_MS, repeatable: true });
}

/** Powers the card with a cold reset at an automatic voltage, and sets its protocol. */
export async function powerOn(session: Session): Promise<PowerOnResult> {
  // May be repeated, since a second reset does no harm.
  const request = { limitMs: POWER_LIMIT_MS, longestMs: POWER_LONGEST_MS, repeatable: true };
  const reset = await command(session, { ...request, type: COMMAND.iccPowerOn });
  if (reset.failure) return { atr: undefined, problem: `${reset.failure}: is its chip down and in front?` };
  const atr = parseAnswerToReset(reset.data);
  if (!atr) return { atr, problem: 'the card speaks neither T=0 nor T=1' };
  const own: [number, number, number] = [atr.protocol, 0, 0];
  const set = await command(session, {
    ...request,
    type: COMMAND.setParameters,
    own,
    data: parametersOf(atr),
  });
  // A reader that parses the answer to reset itself may refuse SetParameters.
  if (set.failure && set.icc === ICC.absent) return { atr: undefined, problem: set.failure };
  return { atr, problem: '' };
}

function connect({ connection, on, onRemoved }: SlotAccess, { atr, problem }: PowerOnResult): CardConnection {
  let gone: string | undefined = atr ? undefined : problem;
  const transmitBlock = (block: Uint8Array, factor: number) =>
    on(async (session) => {
      const own: [number, number, number] = [Math.min(factor, 0xff), 0, 0];
      const limitMs = BLOCK_LIMIT_MS * factor;
      const request: CommandRequest = {
        type: COMMAND.xfrBlock,
        own,
        data: block,
        limitMs,
        longestMs: Math.max(limitMs, EXCHANGE_LIMIT_MS),
        repeatable: false,
      };
      const reply = await command(session, request);
      if (reply.failure) throw new CardLostError(reply.failure);
      return reply.data;
    });
  const blocks = atr?.protocol === 1 ? createBlockTransmission(transmitBlock, atr.cardField) : undefined;
  let begun = false;
  const transmit = async (apdu: Uint8Array) => {
    if (!blocks) return transmitBlock(commandForT0(apdu), 1);
    if (!begun) await blocks.begin();
    begun = true;
    return blocks.transceive(apdu);
  };
  return {
    technology: 'Contact',
    async transceive(apdu) {
      if (gone !== undefined) throw new CardLostError(gone);
      try {
        const answer = await transmit(apdu);
        if (answer.length < 2) throw new CardLostError('the card answers without status bytes');
        return answer;
      } catch (error) {
        if (error instanceof CardLostError) gone = error.message;
        if (!(error instanceof NoResponseError)) throw error;
        // The card may have run the command, so its state is unknown and it counts as lost. If the reader does not
        // respond either, the connection is reopened.
        gone = 'the reader lost touch with the card';
        await on(slotStatus).catch((trouble: unknown) => {
          if (trouble instanceof NoResponseError) connection.drop(trouble.message);
          throw trouble instanceof NoResponseError ? new Fault('reader', trouble.message) : trouble;
        });
        throw new CardLostError(gone);
      }
    },
    onRemoved,
    async release() {
      onRemoved(() => {});
      gone ??= 'the card was released';
      await on((session) =>
        command(session, { type: COMMAND.iccPowerOff, limitMs: SHORT_LIMIT_MS, repeatable: true }),
      ).catch(() => {});
    },
  };
}
