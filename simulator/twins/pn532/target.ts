import { delay, type Clock } from '../../../protocol/clock.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { ChipCard, ChipSession } from '../../cards/chip-card.ts';
import type { CardTray } from '../twin.ts';
import { createCardBlocks, type CardBlocks } from './card-blocks.ts';
import { LONGEST_DATA, MORE_INFORMATION, STATUS, TARGET_BITS } from './frames.ts';

/** The number of the one target. */
export const TARGET = 1;
const ALL_TARGETS = 0;
const CARD_LIMIT_MS = 300;

interface Activated {
  card: ChipCard;
  session: ChipSession;
  blocks: CardBlocks;
  /** Whether the chip has sent RATS, and runs the block protocol itself. */
  isPart4: boolean;
  /** False after InDeselect, until InSelect. */
  selected: boolean;
  /** What the host has sent of an APDU so far, and what it has not fetched of the answer. */
  command: Uint8Array;
  answer: Uint8Array;
}

export interface Pn532FieldParts {
  clock: Clock;
  tray: CardTray;
}

export type Answer = number[] | Uint8Array | 'refused' | 'stopped';

/** The activated card, its commands InSelect, InDeselect, InDataExchange and InCommunicateThru (§7.3). */
export function createTarget({ clock, tray }: Pn532FieldParts) {
  let active: Activated | undefined;
  const forget = () => void (active = undefined);
  tray.watch(forget);

  /** What the card says to an APDU; undefined when it does not answer. */
  const ask = async ({ card, session }: Activated, apdu: Uint8Array) => {
    const answer = await session.transceive(apdu);
    if (answer && tray.card === card) return answer;
    await delay(clock, CARD_LIMIT_MS);
    return undefined;
  };
  const communicate = async (block: Uint8Array): Promise<Answer> => {
    const mine = active?.selected ? active : undefined;
    const answer = mine && (await mine.blocks(block, (apdu) => ask(mine, apdu)));
    return answer ? [0, ...answer] : [STATUS.timeout];
  };
  const named = ([tg = ALL_TARGETS]: Uint8Array) =>
    tg === ALL_TARGETS || tg === TARGET ? active : undefined;
  return {
    get isKnown(): boolean {
      return active !== undefined;
    },
    forget,
    /** Activates a card, in ISO/IEC 14443-4 or in part 3 alone. */
    activate(card: ChipCard, isPart4: boolean): void {
      active = powerOn(card, isPart4);
    },
    /** The card ends its transaction, and the chip still knows it. */
    deselect(given: Uint8Array): Answer {
      const mine = named(given);
      if (!mine) return [STATUS.context];
      mine.selected = false;
      return [0];
    },
    /** Activates the known card again. */
    select(given: Uint8Array): Answer {
      const mine = named(given);
      if (!mine) return [STATUS.context];
      if (!mine.selected) active = powerOn(mine.card, mine.isPart4);
      return [0];
    },
    async exchange([tg = 0, ...data]: Uint8Array): Promise<Answer> {
      const mine = active;
      if (!mine?.selected || (tg & TARGET_BITS) !== TARGET) return [STATUS.context];
      // Without RATS the card gets the bytes as they are.
      if (!mine.isPart4) return communicate(Uint8Array.from(data));
      // More of the answer is fetched by an exchange without data.
      if (mine.answer.length > 0 && data.length === 0) return nextPiece(mine);
      mine.command = concat(mine.command, Uint8Array.from(data));
      if ((tg & MORE_INFORMATION) !== 0) return [0];
      const apdu = mine.command;
      mine.command = new Uint8Array(0);
      const answer = await ask(mine, apdu);
      if (!answer) return [STATUS.timeout];
      mine.answer = answer;
      return nextPiece(mine);
    },
    communicate,
  };
}

function powerOn(card: ChipCard, isPart4: boolean): Activated {
  return {
    card,
    session: card.powerOn('Contactless'),
    blocks: createCardBlocks(card.ats, isPart4),
    isPart4,
    selected: true,
    command: new Uint8Array(0),
    answer: new Uint8Array(0),
  };
}

function nextPiece(active: Activated): Uint8Array {
  const piece = active.answer.subarray(0, LONGEST_DATA);
  active.answer = active.answer.subarray(LONGEST_DATA);
  return Uint8Array.of(active.answer.length > 0 ? MORE_INFORMATION : 0, ...piece);
}
