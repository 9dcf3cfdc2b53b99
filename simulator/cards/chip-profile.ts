import { Type, type Static } from '../../protocol/schema.ts';

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

/** What a chip says when a terminal meets it one way, by contacts or by field (EMV 4.4 Book 3 Annex A). */
export const ChipInterface = Type.Object(
  {
    aip: hex({ max: 2 }, '82 application interchange profile'),
    pdol: Type.Optional(hex({ min: 3, max: 252 }, '9F38 what the chip wants to know before anything else')),
    cdol1: Type.Optional(hex({ min: 6, max: 252 }, '8C what goes into the first cryptogram')),
    cdol2: Type.Optional(hex({ min: 6, max: 252 }, '8D what goes into the second cryptogram')),
    ddol: Type.Optional(hex({ min: 3, max: 252 }, '9F49 what a dynamic signature is made over')),
    cvmList: Type.Optional(hex({ min: 10, max: 252 }, '8E how the holder may be verified, in order')),
    iacDefault: Type.Optional(hex({ max: 5 }, '9F0D')),
    iacDenial: Type.Optional(hex({ max: 5 }, '9F0E')),
    iacOnline: Type.Optional(hex({ max: 5 }, '9F0F')),
    usageControl: hex({ max: 2 }, '9F07 application usage control'),
    version: hex({ max: 2 }, '9F08 application version number'),
    staticSignature: Type.Optional(
      Type.Literal(true, { description: 'There is a 93 for static data authentication' }),
    ),
    qualifiers: Type.Optional(
      hex({ max: 2 }, '9F6C card transaction qualifiers, before the holder is thought of (Book C-3)'),
    ),
    formFactor: Type.Optional(hex({ max: 4 }, '9F6E what the chip is built into (Book C-3)')),
    verification: Type.Optional(
      Type.Array(Type.Enum(['onDevice', 'onlinePin', 'signature']), {
        uniqueItems: true,
        description: 'What a Visa in the field can do when its holder has to be verified, best first',
      }),
    ),
  },
  whole,
);
export type ChipInterface = Static<typeof ChipInterface>;

/** How a card differs from one that works. */
const ChipBehaviour = Type.Object(
  {
    answerAfterMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    answersOnly: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Commands answered before the card is torn away',
      }),
    ),
    declinesOffline: Type.Optional(Type.Literal(true, { description: 'Every cryptogram is an AAC' })),
    applicationBlocked: Type.Optional(Type.Literal(true)),
    issuedWith: Type.Optional(
      Type.Enum(['wrongCardKey', 'wrongCertificate'], {
        description: 'What the generator of chips/ got wrong on purpose',
      }),
    ),
  },
  { ...whole, minProperties: 1 },
);

/**
 * The chip of a card: what a person may read and change. Its keys and certificates lie under `chips/`, made from
 * this by `npm run cards`.
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
      description: '9F36 transactions before the first',
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
        { description: 'Further applications, with the data of the first' },
      ),
    ),
    offlinePin: Type.Optional(
      Type.Array(Type.Enum(['plaintext', 'enciphered']), {
        minItems: 1,
        uniqueItems: true,
        description: 'How the chip takes a PIN to check it by itself',
      }),
    ),
    approvesOffline: Type.Optional(
      Type.Literal(true, {
        description: 'The second GENERATE AC makes a TC for a terminal that could not go online (8A `Y3`)',
      }),
    ),
    contact: Type.Optional(ChipInterface),
    contactless: Type.Optional(ChipInterface),
    behaviour: Type.Optional(ChipBehaviour),
  },
  whole,
);
export type ChipProfile = Static<typeof ChipProfile>;
