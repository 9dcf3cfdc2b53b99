import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import type { CardTray } from '../twin.ts';
import { createBlockCard, type BlockCard } from './block-card.ts';
import { CARD_STATE } from './frames.ts';

// Format bytes T0 and TDi: the high half says which of TA, TB, TC and TD follow, the low half of TD names a protocol
// (ISO/IEC 7816-3 §8.2.3).
const TA = 0x10;
const TB = 0x20;
const TC = 0x40;
const TD = 0x80;

/**
 * Returns the protocol that a card uses directly after its answer to reset: the one of TA2 where the card insists on it
 * (specific mode), else the first that it offers, else T=0 (ISO/IEC 7816-3 §6.3.1 and §8.2.3).
 */
export function protocolAfterReset(answer: Uint8Array): number {
  const format = answer[1] ?? 0;
  if (!(format & TD)) return 0;
  const beforeTd1 = [TA, TB, TC].filter((bit) => format & bit).length;
  const td1At = 2 + beforeTd1;
  const td1 = answer[td1At] ?? 0;
  const protocol = td1 & TA ? answer[td1At + 1] : td1;
  return (protocol ?? 0) & 0x0f;
}

const POWER_UP_MS = 30;
// What a reader waits for a card that says nothing.
const CARD_LIMIT_MS = 1_000;

export interface ContactSlotParts {
  clock: Clock;
  tray: CardTray;
}

/** The slot of a contact reader and the card in it, powered or not. */
export function createContactSlot({ clock, tray }: ContactSlotParts) {
  /** `carry` receives the data of XfrBlock: a T=0 command, or a T=1 block. */
  let powered: { card: ChipCard; carry: BlockCard } | undefined;
  let protocol = 0;
  tray.watch(() => (powered = undefined));
  const cardThere = () => (tray.card?.technologies.includes('Contact') ? tray.card : undefined);
  return {
    /** bmICCStatus (CCID 1.1 §6.2.6). */
    get cardState(): number {
      if (powered) return CARD_STATE.powered;
      return cardThere() ? CARD_STATE.unpowered : CARD_STATE.absent;
    },
    /** What the card speaks that was powered last: T=0 or T=1. */
    get protocol() {
      return protocol;
    },
    /** The card's answer to reset; undefined when there is none. */
    async powerOn(): Promise<Uint8Array | undefined> {
      powered = undefined;
      await delay(clock, POWER_UP_MS);
      const card = cardThere();
      if (!card) return undefined;
      const session = card.powerOn('Contact');
      protocol = protocolAfterReset(card.atr);
      const ask = (command: Uint8Array) => session.transceive(command);
      powered = { card, carry: protocol === 1 ? createBlockCard(ask) : ask };
      return card.atr;
    },
    powerOff: () => void (powered = undefined),
    /** Returns the response of the card; undefined when it does not respond or is not powered. */
    async carry(data: Uint8Array): Promise<Uint8Array | undefined> {
      const mine = powered;
      if (!mine) return undefined;
      const answer = await mine.carry(data);
      // A card that was taken out is noticed at once, by the contact behind it.
      if (powered !== mine) return undefined;
      if (!answer) await delay(clock, CARD_LIMIT_MS);
      return answer;
    },
  };
}
