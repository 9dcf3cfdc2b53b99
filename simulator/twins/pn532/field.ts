import { delay, type Clock } from '../../../protocol/clock.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { ChipCard, ChipSession } from '../../cards/chip-card.ts';
import type { CardTray } from '../card-tray.ts';
import { createCardBlocks, type CardBlocks } from './card-blocks.ts';
import {
  AUTOMATIC_RATS,
  ENDLESS_RETRIES,
  LAST_CARD_TYPE,
  LONGEST_DATA,
  MORE_INFORMATION,
  STATUS,
  SUPPORTS_PART_4,
  TARGET_BITS,
  TYPE_A_106,
} from './protocol.ts';

const TARGET = 1;
// One try at activating a card, and how long a card that is gone is waited for.
const TRY_MS = 5;
const LOOK_AGAIN_MS = 20;
const CARD_LIMIT_MS = 300;

interface Activated {
  card: ChipCard;
  session: ChipSession;
  blocks: CardBlocks;
  /** What the host has sent of an APDU so far, and what it has not fetched of the answer. */
  command: Uint8Array;
  answer: Uint8Array;
}

export interface Pn532FieldParts {
  clock: Clock;
  tray: CardTray;
}

/** How the host wants the field looked into: SetParameters, and MxRtyPassiveActivation of RFConfiguration. */
interface FieldSettings {
  parameters: number;
  retries: number;
}

export type Answer = number[] | Uint8Array | 'refused' | 'stopped';

/** The field of a PN532 and the card in it: InListPassiveTarget, InDataExchange, InCommunicateThru (§7.3). */
export function createPn532Field({ clock, tray }: Pn532FieldParts) {
  let active: Activated | undefined;
  let on = true;
  const forget = () => void (active = undefined);
  tray.watch(forget);

  /** What the card says to an APDU; undefined when it does not answer. */
  const ask = async ({ card, session }: Activated, apdu: Uint8Array) => {
    const answer = await session.transceive(apdu);
    if (answer && tray.card === card) return answer;
    await delay(clock, CARD_LIMIT_MS);
    return undefined;
  };
  return {
    get targets(): number[] {
      return active ? [1, TARGET, 0, 0, 0] : [0];
    },
    forget,
    /** Ends what waits. */
    stop: () => void (on = false),
    async list(
      given: Uint8Array,
      { parameters, retries }: FieldSettings,
      stopped: () => boolean,
    ): Promise<Answer> {
      const [most, cardType, ...wanted] = given;
      forget();
      if (!most || most > 2 || cardType === undefined || cardType > LAST_CARD_TYPE) return 'refused';
      // With endless retries the chip looks until a card comes or the host stops it (§7.3.1, item 5).
      for (let left = retries; ; left--) {
        await delay(clock, retries === ENDLESS_RETRIES ? LOOK_AGAIN_MS : TRY_MS);
        if (stopped() || !on) return 'stopped';
        const { card } = tray;
        if (card && cardType === TYPE_A_106 && answersTo(card, wanted)) {
          active = activate(card, parameters);
          return describe(card, parameters);
        }
        if (retries !== ENDLESS_RETRIES && left <= 0) return [0];
      }
    },
    async exchange([tg = 0, ...data]: Uint8Array): Promise<Answer> {
      const mine = active;
      if (!mine || (tg & TARGET_BITS) !== TARGET) return [STATUS.context];
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
    async communicate(block: Uint8Array): Promise<Answer> {
      const mine = active;
      const answer = mine && (await mine.blocks(block, (apdu) => ask(mine, apdu)));
      return answer ? [0, ...answer] : [STATUS.timeout];
    },
  };
}

/** A card responds when it has an antenna and its number begins with the given bytes (§7.3.5, InitiatorData). */
function answersTo(card: ChipCard, wanted: number[]): boolean {
  return card.technologies.includes('Contactless') && wanted.every((byte, at) => card.uid[at] === byte);
}

function activate(card: ChipCard, parameters: number): Activated {
  const begun = (parameters & AUTOMATIC_RATS) !== 0;
  return {
    card,
    session: card.powerOn('Contactless'),
    blocks: createCardBlocks(card.ats, begun),
    command: new Uint8Array(0),
    answer: new Uint8Array(0),
  };
}

/** NbTg, Tg, SENS_RES, SEL_RES, the number and, when the chip has sent RATS, the ATS (§7.3.5). */
function describe(card: ChipCard, parameters: number): number[] {
  const dep = (card.sak & SUPPORTS_PART_4) !== 0 && (parameters & AUTOMATIC_RATS) !== 0;
  return [1, TARGET, ...card.atqa, card.sak, card.uid.length, ...card.uid, ...(dep ? card.ats : [])];
}

function nextPiece(active: Activated): Uint8Array {
  const piece = active.answer.subarray(0, LONGEST_DATA);
  active.answer = active.answer.subarray(LONGEST_DATA);
  return Uint8Array.of(active.answer.length > 0 ? MORE_INFORMATION : 0, ...piece);
}
