import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import type { CardTray } from '../card-tray.ts';
import {
  ENDLESS_POLLS,
  POLL_PERIOD_MS,
  POLL_PERIODS_MAX,
  POLL_TYPE,
  POLL_TYPES,
  POLL_TYPES_MAX,
  SUPPORTS_PART_4,
} from './protocol.ts';

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
export async function autoPoll(
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
