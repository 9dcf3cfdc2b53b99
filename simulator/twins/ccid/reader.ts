import {
  CARD_STATE,
  COMMAND,
  COMMAND_FAILED,
  ERROR,
  LONGEST_DATA,
  RESPONSE,
  type Command,
  type Response,
} from './frames.ts';
import { createContactSlot, type ContactSlotParts } from './slot.ts';

const FIRMWARE = 'Tapbench CCID twin 1.0';

// One slot for cards and four inside for security modules, which are empty.
const SLOTS = 5;
const NEEDS_CARD: readonly number[] = [COMMAND.iccPowerOn, COMMAND.xfrBlock];

/** The parameters before a card is powered: Fi 372, Di 1, and for T=0 a WI of 10 (CCID 1.1 §6.1.7). */
const DEFAULT_PARAMETERS = Uint8Array.of(0x11, 0x00, 0x00, 0x0a, 0x00);

/** How a command ended, and with what. */
interface Result {
  error?: number;
  specific?: number;
  data?: Uint8Array;
}

/** What the reader does for a command, and in which message it responds (CCID 1.1 §6.1). */
interface Row {
  response: number;
  run(command: Command): Result | Promise<Result>;
}

type ContactSlot = ReturnType<typeof createContactSlot>;

/** What a host set for the reader with Escape, by GemCore's own commands. */
interface Settings {
  /** Notices that a card came or went are sent before a response, not by themselves. */
  notifiesWithResponses: boolean;
}

function commandRows(slot: ContactSlot, settings: Settings): Record<number, Row> {
  let parameters = DEFAULT_PARAMETERS;
  const currentParameters = (): Result => ({ specific: slot.protocol, data: parameters });
  const orMute = (data: Uint8Array | undefined): Result => {
    if (!data) return { error: ERROR.cardMute };
    return data.length > LONGEST_DATA ? { error: ERROR.overrun } : { data };
  };
  const status: Row = { response: RESPONSE.slotStatus, run: () => ({}) };

  return {
    [COMMAND.iccPowerOn]: {
      response: RESPONSE.dataBlock,
      async run() {
        parameters = DEFAULT_PARAMETERS;
        return orMute(await slot.powerOn());
      },
    },
    [COMMAND.iccPowerOff]: {
      response: RESPONSE.slotStatus,
      run() {
        slot.powerOff();
        return {};
      },
    },
    [COMMAND.getSlotStatus]: status,
    [COMMAND.iccClock]: status,
    [COMMAND.abort]: status,
    [COMMAND.xfrBlock]: {
      response: RESPONSE.dataBlock,
      run: async ({ data }) => orMute(await slot.carry(data)),
    },
    [COMMAND.getParameters]: { response: RESPONSE.parameters, run: currentParameters },
    [COMMAND.resetParameters]: {
      response: RESPONSE.parameters,
      run() {
        parameters = DEFAULT_PARAMETERS;
        return currentParameters();
      },
    },
    [COMMAND.setParameters]: {
      response: RESPONSE.parameters,
      run({ specific: [protocol], data }) {
        if (protocol !== slot.protocol) return { error: ERROR.refusedProtocol };
        if (data.length < 5) return { error: ERROR.refusedLength };
        parameters = data.slice();
        return currentParameters();
      },
    },
    [COMMAND.escape]: {
      response: RESPONSE.escape,
      run({ data: [code, group, mode] }) {
        // GemCore: 02 asks for the firmware; 01 01 01 wants slot changes with responses only.
        if (code === 0x02) return { data: Buffer.from(FIRMWARE) };
        if (code === 0x01 && group === 0x01) settings.notifiesWithResponses = mode === 0x01;
        return {};
      },
    },
  };
}

/** What the reader does, apart from its line: the commands for its slot. */
export function createCcidReader(parts: ContactSlotParts) {
  const slot = createContactSlot(parts);
  const settings: Settings = { notifiesWithResponses: false };
  const rows = commandRows(slot, settings);
  const resultOf = async (command: Command): Promise<Result> => {
    if (command.slot >= SLOTS) return { error: ERROR.refusedSlot };
    if (command.slot > 0) return NEEDS_CARD.includes(command.type) ? { error: ERROR.cardMute } : {};
    return (await rows[command.type]?.run(command)) ?? { error: ERROR.unsupportedCommand };
  };
  return {
    get protocol() {
      return slot.protocol;
    },
    settings,
    /** Runs a command and returns the response. */
    async run(command: Command): Promise<Response> {
      const { error, specific = 0, data = new Uint8Array(0) } = await resultOf(command);
      const cardState = command.slot === 0 ? slot.cardState : CARD_STATE.absent;
      return {
        type: rows[command.type]?.response ?? RESPONSE.slotStatus,
        slot: command.slot,
        sequence: command.sequence,
        status: (error === undefined ? 0 : COMMAND_FAILED) | cardState,
        error: error ?? 0,
        specific,
        data,
      };
    },
  };
}
