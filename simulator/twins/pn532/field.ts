import { delay } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import { autoPoll } from './auto-poll.ts';
import {
  AUTOMATIC_RATS,
  ENDLESS_RETRIES,
  LAST_CARD_TYPE,
  STATUS,
  SUPPORTS_PART_4,
  TYPE_A_106,
} from './protocol.ts';
import { createTarget, TARGET, type Answer, type Pn532FieldParts } from './target.ts';

// One try at activating a card, and how long a card that is gone is waited for.
const TRY_MS = 5;
const LOOK_AGAIN_MS = 20;

/** How the host wants the field looked into: SetParameters, and the retries of RFConfiguration. */
interface FieldSettings {
  parameters: number;
  /** MxRtyPassiveActivation. */
  retries: number;
  /** MxRtyATR. */
  deviceRetries: number;
}

/** The field of a PN532: InListPassiveTarget, InAutoPoll, InJumpForDEP and TgInitAsTarget (§7.3). */
export function createPn532Field(parts: Pn532FieldParts) {
  const { clock, tray } = parts;
  const target = createTarget(parts);
  let on = true;

  /** Tries so many times, or until `stopped`. With endless retries the chip goes on until the host stops it (§7.3.1). */
  const tryFor = async (
    retries: number,
    stopped: () => boolean,
    attempt: () => Answer | undefined,
  ): Promise<Answer | undefined> => {
    for (let left = retries; ; left--) {
      await delay(clock, retries === ENDLESS_RETRIES ? LOOK_AGAIN_MS : TRY_MS);
      if (stopped() || !on) return 'stopped';
      const found = attempt();
      if (found) return found;
      if (retries !== ENDLESS_RETRIES && left <= 0) return undefined;
    }
  };
  const activate = (card: ChipCard, parameters: number): number[] => {
    target.activate(card, (parameters & AUTOMATIC_RATS) !== 0);
    return describe(card, parameters);
  };
  return {
    target,
    get targets(): number[] {
      return target.isKnown ? [1, TARGET, 0, 0, 0] : [0];
    },
    /** Ends what waits. */
    stop: () => void (on = false),
    async list(
      given: Uint8Array,
      { parameters, retries }: FieldSettings,
      stopped: () => boolean,
    ): Promise<Answer> {
      const [most, cardType, ...wanted] = given;
      target.forget();
      if (!most || most > 2 || cardType === undefined || cardType > LAST_CARD_TYPE) return 'refused';
      const listed = await tryFor(retries, stopped, () => {
        const { card } = tray;
        const isFound = card && cardType === TYPE_A_106 && answersTo(card, wanted);
        return isFound ? [1, ...activate(card, parameters)] : undefined;
      });
      return listed ?? [0];
    },
    autoPoll(given: Uint8Array, { parameters }: FieldSettings, stopped: () => boolean): Promise<Answer> {
      target.forget();
      return autoPoll(given, {
        clock,
        tray,
        stopped: () => stopped() || !on,
        activate: (card) => activate(card, parameters),
      });
    },
    /** Looks for an NFC device (ISO/IEC 18092), which never comes: a payment card is none. */
    async findDevice({ deviceRetries }: FieldSettings, stopped: () => boolean): Promise<Answer> {
      target.forget();
      return (await tryFor(deviceRetries, stopped, () => undefined)) ?? [STATUS.timeout];
    },
  };
}

/** A card responds when it has an antenna and its number begins with the given bytes (§7.3.5, InitiatorData). */
function answersTo(card: ChipCard, wanted: number[]): boolean {
  return card.technologies.includes('Contactless') && wanted.every((byte, at) => card.uid[at] === byte);
}

/** Tg, SENS_RES, SEL_RES, the number and, when the chip has sent RATS, the ATS (§7.3.5). */
function describe(card: ChipCard, parameters: number): number[] {
  const dep = (card.sak & SUPPORTS_PART_4) !== 0 && (parameters & AUTOMATIC_RATS) !== 0;
  return [TARGET, ...card.atqa, card.sak, card.uid.length, ...card.uid, ...(dep ? card.ats : [])];
}
