import { CardLostError } from '../../../agent/readers/card-slot.ts';
import { delay, type Clock } from '../../../protocol/clock.ts';
import { parseCardProfile } from '../../cards/card-profile.ts';
import { cardNamed } from '../../cards/card-registry.ts';
import type { ChipCard } from '../../cards/chip-card.ts';
import { PROFILES } from '../../cards/card-files.ts';
import type { CardTray } from '../twin.ts';
import { CONTACT, CONTACTLESS, STRIPE } from './frames.ts';
import type { Tracks } from './stripe-tracks.ts';
import type { CardConnection, CardTechnology } from '../../../agent/emv/card-connection.ts';

/** What is presented to the reader. */
export type PresentedCard =
  { type: 'chip'; card: ChipCard; technology: CardTechnology } | { type: 'stripe'; tracks: Tracks };

export interface CardPresenter {
  /** Waits for a card by one of these interfaces (bits of DFEF37); undefined when `signal` is aborted first. */
  wait(interfaces: number, signal: AbortSignal): Promise<PresentedCard | undefined>;
  /** Draws the stripe of the card of this name through the slot. */
  swipe(name: string): void;
}

// Time of one command to the card.
const COMMAND_MS = 5;

export function createCardPresenter(tray: CardTray): CardPresenter {
  let waiting: { interfaces: number; resolve(presented: PresentedCard | undefined): void } | undefined;

  const check = () => {
    const found = waiting && tray.card && chipIn(tray.card, waiting.interfaces);
    if (found) settle(found);
  };
  const settle = (presented: PresentedCard | undefined) => {
    waiting?.resolve(presented);
    waiting = undefined;
  };
  tray.watch(check);
  return {
    wait: (interfaces, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        waiting = { interfaces, resolve };
        signal.addEventListener('abort', () => settle(undefined), { once: true });
        check();
      }),
    swipe(name) {
      const tracks = tracksOf(name);
      if (tracks && waiting && waiting.interfaces & STRIPE) settle({ type: 'stripe', tracks });
    },
  };
}

/** Returns the card on its preferred interface, or on the other one if only that is active. */
function chipIn(card: ChipCard, interfaces: number): PresentedCard | undefined {
  const usual = cardNamed(card.name)?.entryModes[0] === 'Contact' ? 'Contact' : 'Contactless';
  const other = usual === 'Contact' ? 'Contactless' : 'Contact';
  const technology = ([usual, other] as const).find((wanted) => {
    const bit = wanted === 'Contact' ? CONTACT : CONTACTLESS;
    return card.technologies.includes(wanted) && interfaces & bit;
  });
  return technology && { type: 'chip', card, technology };
}

/** Tracks 1 and 2 (ISO/IEC 7813), service code 121: international, online, no PIN required. */
function tracksOf(name: string): Tracks | undefined {
  if (!Object.hasOwn(PROFILES, name)) return undefined;
  const { pan, expiryYear, expiryMonth } = parseCardProfile(name, PROFILES[name]);
  const rest = `${expiryYear.slice(2)}${expiryMonth}1210000000000`;
  return { track1: `%B${pan}^TEST/CARD^${rest}?`, track2: `;${pan}=${rest}?` };
}

/** The powered card; gone as soon as another one, or none, lies there. */
export function connectionTo(
  { card, technology }: Extract<PresentedCard, { type: 'chip' }>,
  { tray, clock }: { tray: CardTray; clock: Clock },
): CardConnection {
  const session = card.powerOn(technology);
  return {
    technology,
    async transceive(command) {
      await delay(clock, COMMAND_MS);
      const response = tray.card === card ? await session.transceive(command) : undefined;
      if (!response || tray.card !== card) throw new CardLostError();
      return response;
    },
    async release() {},
  };
}
