import { Type, withDescription, type Static } from '../schema.ts';
import { ENTRY_MODES } from '../value-lists.ts';

export const EntryMode = Type.Enum([...ENTRY_MODES], {
  description: 'How the card was read',
});
export type EntryMode = Static<typeof EntryMode>;

/** Card data outside the reader module: BIN and last four digits only. */
export const MaskedCard = Type.Object(
  {
    scheme: Type.Enum(['Visa', 'Mastercard', 'Amex'], { description: 'Card scheme' }),
    bin: Type.String({ pattern: '^[0-9]{6}$', description: 'First six digits of the card number' }),
    last4: Type.String({ pattern: '^[0-9]{4}$', description: 'Last four digits of the card number' }),
    expiryMonth: Type.String({
      pattern: '^(0[1-9]|1[0-2])$',
      description: 'Month in which the card expires, two digits',
    }),
    expiryYear: Type.String({
      pattern: '^20[0-9]{2}$',
      description: 'Year in which the card expires, four digits',
    }),
    entryMode: Type.Optional(
      withDescription(EntryMode, 'How the card was read; absent when a payment terminal does not say'),
    ),
    wallet: Type.Optional(
      Type.Enum(['ApplePay', 'GooglePay'], {
        description: 'Wallet that the card is in; absent for a plain card',
      }),
    ),
    fundingType: Type.Optional(
      Type.Enum(['Credit', 'Debit', 'Prepaid'], { description: 'How the card is funded' }),
    ),
    applicationLabel: Type.Optional(
      Type.String({ maxLength: 16, description: 'Name of the application on the chip, for the receipt' }),
    ),
    aid: Type.Optional(
      withDescription(
        Type.String({ pattern: '^[ADF][0-9A-F]{9,31}$' }),
        'Application identifier (ISO 7816-5); begins with A, D or F',
      ),
    ),
  },
  { description: 'Card that was read, without its full number' },
);
export type MaskedCard = Static<typeof MaskedCard>;

/** Bytes as upper-case hexadecimal digits. */
function Hex(bytes: { min?: number; max: number }) {
  return Type.String({
    pattern: '^([0-9A-F]{2})*$',
    minLength: (bytes.min ?? 0) * 2,
    maxLength: bytes.max * 2,
  });
}

/** DUKPT scheme of a terminal's keys: X9.24-1 (TDES) or X9.24-3 (AES). */
export const KeyScheme = Type.Enum(['TDES', 'AES'], {
  description: 'DUKPT scheme of the keys: X9.24-1 (TDES) or X9.24-3 (AES)',
});

/** Card data encrypted for the issuer with a transaction key. */
export const ProtectedCardData = Type.Object(
  {
    scheme: KeyScheme,
    ksn: withDescription(Hex({ min: 10, max: 12 }), 'Key serial number, in uppercase hexadecimal'),
    cipherText: withDescription(Hex({ min: 8, max: 256 }), 'Encrypted data, in uppercase hexadecimal'),
  },
  { description: 'Card number and track data, encrypted for the issuer' },
);
export type ProtectedCardData = Static<typeof ProtectedCardData>;

/** A PIN block encrypted with a transaction key: ISO 9564-1 format 0 with TDES, format 4 with AES. */
export const ProtectedPin = Type.Object(
  {
    scheme: KeyScheme,
    ksn: withDescription(Hex({ min: 10, max: 12 }), 'Key serial number, in uppercase hexadecimal'),
    pinBlock: withDescription(Hex({ min: 8, max: 16 }), 'Encrypted PIN block, in uppercase hexadecimal'),
  },
  { description: 'PIN block, encrypted for the issuer' },
);
export type ProtectedPin = Static<typeof ProtectedPin>;

/** Data of a reader of real cards for the issuer. */
export const ChipRequest = Type.Object(
  {
    emv: withDescription(
      Hex({ max: 512 }),
      'BER-TLV: the cryptogram and its input data (EMV 4.4 Book 3 §6.5.5.4), without card number and track data; empty for a magnetic stripe',
    ),
    cardData: ProtectedCardData,
    pin: Type.Optional(ProtectedPin),
  },
  { description: 'Chip data for the issuer' },
);
export type ChipRequest = Static<typeof ChipRequest>;

/** The issuer's response for the card. */
export const ChipResponse = Type.Object(
  {
    emv: withDescription(
      Hex({ max: 256 }),
      'BER-TLV: 8A authorisation response code, 91 issuer authentication data',
    ),
  },
  { description: 'Chip data from the issuer' },
);
export type ChipResponse = Static<typeof ChipResponse>;

/** An authorisation from the own bank of a payment terminal. */
export const DeviceApproval = Type.Object({
  authorisationCode: Type.String({
    pattern: '^[A-Z0-9]{0,8}$',
    description: 'Authorisation code of the bank of the device',
  }),
  reference: Type.String({
    maxLength: 40,
    description: 'Reference with which the device reverses the payment',
  }),
});
export type DeviceApproval = Static<typeof DeviceApproval>;
