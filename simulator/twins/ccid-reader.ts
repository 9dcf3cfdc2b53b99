import {
  ANSWER,
  ANSWER_TO,
  COMMAND,
  COMMAND_STATUS,
  ERROR,
  ICC,
  LONGEST_DATA,
} from '../../agent/readers/ccid/constants.ts';
import type { Message } from '../../agent/readers/ccid/frame.ts';
import { createContactSlot, type ContactSlotParts } from './contact-slot.ts';

const FIRMWARE = 'Tapbench CCID twin 1.0';

// One slot for cards and four inside for security modules, which are empty.
const SLOTS = 5;
const NEEDS_CARD: readonly number[] = [COMMAND.iccPowerOn, COMMAND.xfrBlock];

/** What the reader is told before a card says more: Fi 372, Di 1 (CCID 1.1 §6.1.7). */
const T0_PARAMETERS = Uint8Array.of(0x11, 0x00, 0x00, 0x0a, 0x00);

/** How a command ended, and with what. */
interface Result {
  error?: number;
  special?: number;
  data?: Uint8Array;
}

/** What the reader does, apart from its line: the commands for its slot (CCID 1.1 §6.1). */
export function createCcidReader(parts: ContactSlotParts) {
  const slot = createContactSlot(parts);
  let parameters = T0_PARAMETERS;
  let noticesWithAnswers = false;
  const tellParameters = (): Result => ({ special: slot.protocol, data: parameters });
  const orMute = (data: Uint8Array | undefined): Result => {
    if (!data) return { error: ERROR.mute };
    return data.length > LONGEST_DATA ? { error: ERROR.overrun } : { data };
  };

  const runs: Record<number, (message: Message) => Result | Promise<Result>> = {
    [COMMAND.iccPowerOn]: async () => {
      parameters = T0_PARAMETERS;
      return orMute(await slot.powerOn());
    },
    [COMMAND.iccPowerOff]: () => {
      slot.powerOff();
      return {};
    },
    [COMMAND.getSlotStatus]: () => ({}),
    [COMMAND.xfrBlock]: async ({ data }) => orMute(await slot.carry(data)),
    [COMMAND.getParameters]: tellParameters,
    [COMMAND.resetParameters]: () => {
      parameters = T0_PARAMETERS;
      return tellParameters();
    },
    [COMMAND.setParameters]: ({ own: [wanted], data }) => {
      if (wanted !== slot.protocol) return { error: ERROR.badProtocol };
      if (data.length < 5) return { error: ERROR.badLength };
      parameters = data.slice();
      return tellParameters();
    },
    [COMMAND.escape]: ({ data: [what, group, way] }) => {
      // GemCore: 02 asks for the firmware; 01 01 01 wants notices of cards with answers only.
      if (what === 0x02) return { data: Buffer.from(FIRMWARE) };
      if (what === 0x01 && group === 0x01) noticesWithAnswers = way === 0x01;
      return {};
    },
    [COMMAND.iccClock]: () => ({}),
    [COMMAND.abort]: () => ({}),
  };
  const resultOf = async (message: Message): Promise<Result> => {
    if (message.slot >= SLOTS) return { error: ERROR.noSuchSlot };
    if (message.slot > 0) return NEEDS_CARD.includes(message.type) ? { error: ERROR.mute } : {};
    return (await runs[message.type]?.(message)) ?? { error: ERROR.unsupported };
  };
  return {
    get protocol() {
      return slot.protocol;
    },
    /** Notices that a card came or went are sent before an answer, not by themselves. */
    get noticesWithAnswers() {
      return noticesWithAnswers;
    },
    /** Does a command and returns the answer. */
    async run(message: Message): Promise<Message> {
      const { error, special = 0, data = new Uint8Array(0) } = await resultOf(message);
      const icc = message.slot === 0 ? slot.icc : ICC.absent;
      return {
        type: ANSWER_TO[message.type] ?? ANSWER.slotStatus,
        slot: message.slot,
        sequence: message.sequence,
        own: [(error === undefined ? 0 : COMMAND_STATUS.failed) | icc, error ?? 0, special],
        data,
      };
    },
  };
}
