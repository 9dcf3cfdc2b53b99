import { Fault } from '../../protocol/failures.ts';
import { EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import type { Problem } from '../../protocol/schema-problems.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { testCardOf } from '../../protocol/test-cards.ts';
import { ChipProfile, findChipProblem } from './chip-profile.ts';

/**
 * Format of the files under `profiles/`, each a simulated card. Version 3: the row of its number in
 * protocol/test-cards.ts has scheme and PIN.
 */
const CardFile = Type.Object(
  {
    version: Type.Literal(3),
    title: Type.String({ minLength: 1, description: 'Name of the card for people' }),
    pan: Type.String({ pattern: '^[0-9]{12,19}$', description: 'The number of a test card' }),
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
export type CardFile = Static<typeof CardFile>;

/** A simulated card: its file, with scheme and PIN of its number. */
export type CardProfile = Omit<CardFile, 'pin'> & {
  scheme: MaskedCard['scheme'];
  pin?: { digits: string; tries: number };
};
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

const checkFile = checker(CardFile);

/**
 * Returns the card of a file under `profiles/`. @throws Fault `internal`, naming the field, when the file does not
 * match the format, or its number is that of no test card.
 */
export function parseCardProfile(name: string, value: unknown): CardProfile {
  const fail = ({ path, message }: Problem): never => {
    throw new Fault('internal', `card profile ${name}: ${path} ${message}`);
  };
  const [misfit] = checkFile(value);
  if (misfit) return fail(misfit);
  const { pin, ...file } = value as CardFile;
  const row = testCardOf(file.pan);
  if (!row) return fail({ path: 'pan', message: 'has no row in protocol/test-cards.ts' });
  if (pin && !row.pin) return fail({ path: 'pin', message: 'goes with a PIN in protocol/test-cards.ts' });
  const profile = {
    ...file,
    scheme: row.scheme,
    ...(pin && row.pin ? { pin: { digits: row.pin, ...pin } } : {}),
  };
  const problem = findProblem(profile);
  return problem ? fail(problem) : profile;
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

function findProblem(profile: CardProfile): Problem | undefined {
  const isWallet = profile.entryModes.includes('Wallet');
  if (isWallet !== (profile.wallet !== undefined))
    return { path: 'wallet', message: 'goes with entry mode Wallet' };
  return profile.chip && findChipProblem(profile as ChipCardProfile);
}
