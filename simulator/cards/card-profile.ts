import { Fault } from '../../protocol/failures.ts';
import { passesLuhnCheck } from '../../protocol/luhn.ts';
import { EntryMode as EntryModeSchema, MaskedCard } from '../../protocol/messages/action.messages.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { ChipProfile } from './chip-profile.ts';
import { findChipProblem } from './chip-profile.rules.ts';

export type EntryMode = Static<typeof EntryModeSchema>;

/** A simulated card as its file under `profiles/` says it. Version 2 of the form: a card may have a chip. */
export const CardProfile = Type.Object(
  {
    version: Type.Literal(2),
    title: Type.String({ minLength: 1, description: 'What the card is, for a list that people read' }),
    scheme: MaskedCard.properties.scheme,
    pan: Type.String({ pattern: '^[0-9]{12,19}$', description: 'A published test number' }),
    expiryMonth: MaskedCard.properties.expiryMonth,
    expiryYear: MaskedCard.properties.expiryYear,
    fundingType: MaskedCard.properties.fundingType,
    applicationLabel: MaskedCard.properties.applicationLabel,
    aid: MaskedCard.properties.aid,
    entryModes: Type.Array(EntryModeSchema, {
      minItems: 1,
      uniqueItems: true,
      description: 'The first one is usual',
    }),
    wallet: MaskedCard.properties.wallet,
    pin: Type.Optional(
      Type.Object(
        {
          digits: Type.String({ pattern: '^[0-9]{4,12}$' }),
          tries: Type.Integer({
            minimum: 0,
            maximum: 15,
            description: 'Wrong PINs until the card blocks its PIN',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    defect: Type.Optional(Type.Enum(['unreadable'])),
    chip: Type.Optional(ChipProfile),
  },
  { additionalProperties: false },
);
export type CardProfile = Static<typeof CardProfile>;
/** A profile that has a chip. */
export type ChipCardProfile = CardProfile & { chip: ChipProfile };

/**
 * A card in somebody's hand. The card number has no property here: what is not there cannot be logged,
 * sent or kept by mistake.
 */
export interface Card {
  readonly name: string;
  readonly title: string;
  readonly entryModes: readonly EntryMode[];
  readonly readable: boolean;
  readonly hasPin: boolean;
  /** Wrong PINs until the card blocks its PIN; 0 for a card that has blocked it, or has none. */
  readonly pinTries: number;
  /** What a terminal may know of the card when it is read this way. */
  masked(entryMode: EntryMode): MaskedCard;
  isPin(digits: string): boolean;
  /** What the person who holds the card would type. */
  holderPin(): string | undefined;
}

const checkProfile = checker(CardProfile);

/** @throws Fault `internal`, naming the field, when the profile breaks the form or a rule of card numbers. */
export function parseCardProfile(name: string, value: unknown): CardProfile {
  const problem = checkProfile(value)[0] ?? findProblem(value as CardProfile);
  if (problem) throw new Fault('internal', `card profile ${name}: ${problem.path} ${problem.message}`);
  return value as CardProfile;
}

/** The card of a profile, as the virtual reader takes it. @throws as `parseCardProfile`. */
export function createCard(name: string, value: unknown): Card {
  const profile = parseCardProfile(name, value);
  const { title, entryModes, pin } = profile;
  return {
    name,
    title,
    entryModes,
    readable: profile.defect === undefined,
    hasPin: pin !== undefined,
    pinTries: pin?.tries ?? 0,
    masked: (entryMode) => maskedOf(profile, entryMode),
    isPin: (digits) => pin?.digits === digits,
    holderPin: () => pin?.digits,
  };
}

function maskedOf(profile: CardProfile, entryMode: EntryMode): MaskedCard {
  const { scheme, pan, expiryMonth, expiryYear, fundingType, applicationLabel, aid, wallet } = profile;
  // A magnetic stripe carries no application, so neither its label nor its id (EMV 4.4 Book 1 §12).
  const chip = entryMode === 'Swipe' ? {} : { applicationLabel, aid };
  const facts = { fundingType, ...chip, ...(entryMode === 'Wallet' ? { wallet } : {}) };
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return { scheme, bin: pan.slice(0, 6), last4: pan.slice(-4), expiryMonth, expiryYear, entryMode, ...known };
}

// ISO/IEC 7812-1: who issues numbers that begin so.
const SCHEME_PREFIX = { Visa: /^4/, Mastercard: /^(5[1-5]|2[2-7])/, Amex: /^3[47]/ };

function findProblem(profile: CardProfile): { path: string; message: string } | undefined {
  if (!passesLuhnCheck(profile.pan)) return { path: 'pan', message: 'has a wrong check digit' };
  if (!SCHEME_PREFIX[profile.scheme].test(profile.pan)) {
    return { path: 'scheme', message: 'is not the scheme of this number' };
  }
  const isWallet = profile.entryModes.includes('Wallet');
  if (isWallet !== (profile.wallet !== undefined))
    return { path: 'wallet', message: 'goes with entry mode Wallet' };
  return profile.chip && findChipProblem(profile as ChipCardProfile);
}
