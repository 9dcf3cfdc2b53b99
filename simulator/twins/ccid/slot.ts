import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import type { CardTray } from '../card-tray.ts';
import { createBlockCard, type BlockCard } from './block-card.ts';
import { CARD_STATE } from './protocol.ts';
import { protocolAfterReset } from './reset-answer.ts';

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
