import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import type { CardTray } from '../twin.ts';
import {
  AUTOMATIC_RATS,
  ENDLESS_POLLS,
  ENDLESS_RETRIES,
  LAST_CARD_TYPE,
  POLL_PERIOD_MS,
  POLL_PERIODS_MAX,
  POLL_TYPE,
  POLL_TYPES,
  POLL_TYPES_MAX,
  STATUS,
  SUPPORTS_PART_4,
  TYPE_A_106,
} from './frames.ts';
import { createTarget, TARGET, type Answer, type Pn532FieldParts } from './target.ts';

interface AutoPollParts {
  clock: Clock;
  tray: CardTray;
  /** Whether the host has aborted the command. */
  stopped(): boolean;
  /** Activates a card and returns its target data, as InListPassiveTarget does without the number of targets. */
  activate(card: ChipCard): number[];
}

/**
 * Runs InAutoPoll (UM0701-02 §7.3.13): looks for each of the types in turn, for a period each, as often as the host asks. Returns the
 * number of targets, and type, length and data of the target.
 */
async function autoPoll(
  [polls = 0, period = 0, ...types]: Uint8Array,
  { clock, tray, stopped, activate }: AutoPollParts,
): Promise<number[] | 'refused' | 'stopped'> {
  const isPeriod = period >= 1 && period <= POLL_PERIODS_MAX;
  const areTypes = types.length >= 1 && types.length <= POLL_TYPES_MAX;
  if (polls === 0 || !isPeriod || !areTypes || !types.every((type) => POLL_TYPES.includes(type))) {
    return 'refused';
  }
  for (let left = polls; left > 0; left -= polls === ENDLESS_POLLS ? 0 : 1) {
    for (const type of types) {
      const { card } = tray;
      const found = card && typeOf(card);
      if (card && found !== undefined && (type === found || type === POLL_TYPE.anyTypeA)) {
        const data = activate(card);
        return [1, found, data.length, ...data];
      }
      await delay(clock, period * POLL_PERIOD_MS);
      if (stopped()) return 'stopped';
    }
  }
  return [0];
}

function typeOf(card: ChipCard): number | undefined {
  if (!card.technologies.includes('Contactless')) return undefined;
  return (card.sak & SUPPORTS_PART_4) !== 0 ? POLL_TYPE.part4 : POLL_TYPE.part3;
}

// One try at activating a card, and how long a card that is gone is waited for.
const TRY_MS = 5;
const CHECK_AGAIN_MS = 20;

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
      await delay(clock, retries === ENDLESS_RETRIES ? CHECK_AGAIN_MS : TRY_MS);
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
