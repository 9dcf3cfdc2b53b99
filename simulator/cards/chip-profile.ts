import { CRYPTOGRAM_VERSIONS } from '../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../protocol/emv/hex.ts';
import type { Problem } from '../../protocol/schema-problems.ts';
import { Type, type Static } from '../../protocol/schema.ts';
import { parseDol } from './chip/apdu.ts';

function hex(bytes: { min?: number; max: number }, description: string) {
  return Type.String({
    pattern: '^([0-9A-F]{2})*$',
    minLength: (bytes.min ?? bytes.max) * 2,
    maxLength: bytes.max * 2,
    description,
  });
}

const digits = (count: number, description: string) =>
  Type.String({ pattern: `^[0-9]{${count}}$`, description });

const whole = { additionalProperties: false };

/** Data of a chip for one interface, contact or contactless (EMV 4.4 Book 3 Annex A). */
export const ChipInterface = Type.Object(
  {
    aip: hex({ max: 2 }, '82 application interchange profile'),
    pdol: Type.Optional(hex({ min: 3, max: 252 }, '9F38 processing options data object list')),
    cdol1: Type.Optional(hex({ min: 6, max: 252 }, '8C data for the first cryptogram')),
    cdol2: Type.Optional(hex({ min: 6, max: 252 }, '8D data for the second cryptogram')),
    ddol: Type.Optional(hex({ min: 3, max: 252 }, '9F49 data for the dynamic signature')),
    cvmList: Type.Optional(hex({ min: 10, max: 252 }, '8E cardholder verification methods, in order')),
    iacDefault: Type.Optional(hex({ max: 5 }, '9F0D')),
    iacDenial: Type.Optional(hex({ max: 5 }, '9F0E')),
    iacOnline: Type.Optional(hex({ max: 5 }, '9F0F')),
    usageControl: hex({ max: 2 }, '9F07 application usage control'),
    version: hex({ max: 2 }, '9F08 application version number'),
    staticSignature: Type.Optional(
      Type.Literal(true, { description: 'Has tag 93 for static data authentication' }),
    ),
    qualifiers: Type.Optional(
      hex({ max: 2 }, '9F6C card transaction qualifiers, without cardholder verification (Book C-3)'),
    ),
    formFactor: Type.Optional(hex({ max: 4 }, '9F6E form factor indicator (Book C-3)')),
    verification: Type.Optional(
      Type.Array(Type.Enum(['onDevice', 'onlinePin', 'signature']), {
        uniqueItems: true,
        description: 'Cardholder verification methods of a contactless Visa card, preferred first',
      }),
    ),
  },
  whole,
);
export type ChipInterface = Static<typeof ChipInterface>;

/** Deviations from a working card. */
const ChipBehaviour = Type.Object(
  {
    answerAfterMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    answersOnly: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Number of commands answered before the card is removed',
      }),
    ),
    declinesOffline: Type.Optional(Type.Literal(true, { description: 'Every cryptogram is an AAC' })),
    applicationBlocked: Type.Optional(Type.Literal(true)),
    issuedWith: Type.Optional(
      Type.Enum(['wrongCardKey', 'wrongCertificate'], {
        description: 'Deliberate error in the generated chip',
      }),
    ),
  },
  { ...whole, minProperties: 1 },
);

/**
 * The chip of a card profile. Its keys and certificates are under `chips/`, generated from this by `npm run cards`.
 */
export const ChipProfile = Type.Object(
  {
    sequenceNumber: digits(2, '5F34 PAN sequence number'),
    holder: Type.String({ minLength: 2, maxLength: 26, description: '5F20 cardholder name' }),
    serviceCode: digits(3, '5F30, and in track 2'),
    effective: digits(6, '5F25 YYMMDD'),
    country: digits(4, '5F28 ISO 3166-1 numeric'),
    currency: digits(4, '9F42 ISO 4217 numeric'),
    transactionCounter: Type.Integer({
      minimum: 0,
      maximum: 0xffff,
      description: '9F36 initial transaction counter',
    }),
    cryptogramVersion: Type.Enum(['visa-10', 'visa-18', 'mastercard-14', 'amex-01']),
    keyIndex: hex({ max: 1 }, 'The derivation key index in 9F10'),
    priority: Type.Integer({ minimum: 1, maximum: 15, description: '87' }),
    alsoKnownAs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            aid: Type.String({ pattern: '^([0-9A-F]{2}){5,16}$' }),
            label: Type.String({ minLength: 1, maxLength: 16 }),
            priority: Type.Integer({ minimum: 1, maximum: 15 }),
          },
          whole,
        ),
        { description: 'Further application ids with the same data' },
      ),
    ),
    offlinePin: Type.Optional(
      Type.Array(Type.Enum(['plaintext', 'enciphered']), {
        minItems: 1,
        uniqueItems: true,
        description: 'Formats in which the chip verifies a PIN offline',
      }),
    ),
    approvesOffline: Type.Optional(
      Type.Literal(true, {
        description: 'The second GENERATE AC returns a TC to a terminal that could not go online (8A `Y3`)',
      }),
    ),
    contact: Type.Optional(ChipInterface),
    contactless: Type.Optional(ChipInterface),
    behaviour: Type.Optional(ChipBehaviour),
  },
  whole,
);
export type ChipProfile = Static<typeof ChipProfile>;

/** Terminal data that every cryptogram needs (EMV 4.4 Book 2 §8.1.1), as tag and length. */
const SIGNED = ['9F02/6', '9F03/6', '9F1A/2', '95/5', '5F2A/2', '9A/3', '9C/1', '9F37/4'];

/** The authorisation response code, by which a card learns that the terminal could not go online. */
const RESPONSE_CODE = '8A/2';

/** A card that has a chip, as far as the rules look at it. */
interface ChipCard {
  entryModes: readonly string[];
  pin?: object;
  scheme: string;
  aid?: string;
  applicationLabel?: string;
  chip: ChipProfile;
}

/** Returns the first inconsistency of a profile whose format is valid; undefined when there is none. */
export function findChipProblem(card: ChipCard): Problem | undefined {
  const { entryModes, pin, scheme, chip, aid, applicationLabel } = card;
  const { contact, contactless, cryptogramVersion } = chip;
  const tapped = entryModes.includes('Contactless') || entryModes.includes('Wallet');
  if (!aid || !applicationLabel) return { path: 'aid', message: 'and applicationLabel go with a chip' };
  if ((contactless !== undefined) !== tapped) {
    return { path: 'chip.contactless', message: 'goes with entry modes Contactless and Wallet' };
  }
  if ((contact !== undefined) !== entryModes.includes('Contact')) {
    return { path: 'chip.contact', message: 'goes with entry mode Contact' };
  }
  if (chip.offlinePin && !pin) return { path: 'chip.offlinePin', message: 'goes with a PIN' };
  if (CRYPTOGRAM_VERSIONS[cryptogramVersion].scheme !== scheme) {
    return { path: 'chip.cryptogramVersion', message: 'is not one of the scheme' };
  }
  if (contact?.qualifiers) return { path: 'chip.contact.qualifiers', message: 'are for the field alone' };
  return (
    (contact && findDolProblem('chip.contact', contact)) ??
    (contactless && findDolProblem('chip.contactless', contactless)) ??
    findOfflineApprovalProblem(chip)
  );
}

function findOfflineApprovalProblem({ approvesOffline, contact }: ChipProfile): Problem | undefined {
  if (!approvesOffline || dolEntries(contact?.cdol2).includes(RESPONSE_CODE)) return undefined;
  return { path: 'chip.approvesOffline', message: 'goes with a contact.cdol2 that asks for 8A' };
}

/** Checks that the lists request all data that the cryptogram needs. */
function findDolProblem(
  path: string,
  { qualifiers, pdol, cdol1, cdol2 }: ChipInterface,
): Problem | undefined {
  const [name, list] = qualifiers === undefined ? (['cdol1', cdol1] as const) : (['pdol', pdol] as const);
  if (!qualifiers && !cdol2) return { path: `${path}.cdol2`, message: 'is required' };
  const entries = dolEntries(list);
  const missing = [...SIGNED, ...(qualifiers ? ['9F66/4'] : [])].find((one) => !entries.includes(one));
  if (missing) return { path: `${path}.${name}`, message: `does not ask for ${missing}` };
  return undefined;
}

/** Returns the entries of a data object list as `tag/length`. */
function dolEntries(list: string | undefined): string[] {
  return parseDol(fromHex(list ?? '')).map(({ tag, length }) => `${tag}/${length}`);
}
