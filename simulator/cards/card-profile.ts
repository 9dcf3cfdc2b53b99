import { Fault } from '../../protocol/failures.ts';
import { passesLuhnCheck } from '../../protocol/luhn.ts';
import { EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { ChipProfile } from './chip-profile.ts';
import { findChipProblem } from './chip-profile.rules.ts';

/** Format of the files under `profiles/`, each a simulated card. Version 2: a card may have a chip. */
export const CardProfile = Type.Object(
  {
    version: Type.Literal(2),
    title: Type.String({ minLength: 1, description: 'Name of the card for people' }),
    scheme: MaskedCard.properties.scheme,
    pan: Type.String({ pattern: '^[0-9]{12,19}$', description: 'A published test number' }),
    expiryMonth: MaskedCard.properties.expiryMonth,
    expiryYear: MaskedCard.properties.expiryYear,
    fundingType: MaskedCard.properties.fundingType,
    applicationLabel: MaskedCard.properties.applicationLabel,
    aid: MaskedCard.properties.aid,
    entryModes: Type.Array(EntryMode, {
      minItems: 1,
      uniqueItems: true,
      description: 'The first one is the default',
    }),
    wallet: MaskedCard.properties.wallet,
    pin: Type.Optional(
      Type.Object(
        {
          digits: Type.String({ pattern: '^[0-9]{4,12}$' }),
          tries: Type.Integer({
            minimum: 0,
            maximum: 15,
            description: 'Wrong PINs until the PIN is blocked',
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
/** A profile with a chip. */
export type ChipCardProfile = CardProfile & { chip: ChipProfile };

/** A simulated card. Has no property for the card number, so that it cannot be logged, sent or stored by mistake. */
export interface Card {
  readonly name: string;
  readonly title: string;
  readonly entryModes: readonly EntryMode[];
  readonly readable: boolean;
  readonly hasPin: boolean;
  /** Wrong PINs until the PIN is blocked; 0 when it is blocked or there is none. */
  readonly pinTries: number;
  /** Returns the masked card data that a terminal gets by this entry mode. */
  masked(entryMode: EntryMode): MaskedCard;
  isPin(digits: string): boolean;
  /** Returns the PIN that the cardholder knows. */
  holderPin(): string | undefined;
}

const checkProfile = checker(CardProfile);

/**
 * Validates a profile. @throws Fault `internal`, naming the field, when it does not match the format or a rule of
 * card numbers.
 */
export function parseCardProfile(name: string, value: unknown): CardProfile {
  const problem = checkProfile(value)[0] ?? findProblem(value as CardProfile);
  if (problem) throw new Fault('internal', `card profile ${name}: ${problem.path} ${problem.message}`);
  return value as CardProfile;
}

/** Creates the card of a profile, for the virtual reader. @throws as `parseCardProfile`. */
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

// Number prefixes of the networks (ISO/IEC 7812-1).
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
