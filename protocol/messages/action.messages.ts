import { TERMINAL_ERROR_CODES } from '../failures.ts';
import { defineMessage } from '../message.ts';
import { AmountMinor, CurrencyCode, Id, Type, withDescription, type Static } from '../schema.ts';

/** Maximum of a signed 32-bit integer. */
export const SEQ_MAX = 2 ** 31 - 1;

/**
 * Fields of every message of an action (Spec §4.12). Each sender numbers its messages within an action from 1: the
 * receiver drops repeats, and `action.inquired` recovers from gaps.
 */
const step = {
  actionId: Id('action'),
  seq: Type.Integer({
    minimum: 1,
    maximum: SEQ_MAX,
    description: 'Sequence number of the message within the action, counted by its sender from 1',
  }),
};

export const ActionType = Type.Enum(['Payment', 'Refund'], {
  description: 'Whether the action takes a payment or refunds one',
});
export const ReceiptSource = Type.Enum(['Terminal', 'PointOfSale'], {
  description: 'Who prints the receipt: the terminal or the point of sale',
});
export const CopyName = Type.Enum(['merchantCopy', 'customerCopy'], { description: 'Copy of the receipt' });
export const ActionStatus = Type.Enum(['InProgress', 'Succeeded', 'Failed', 'Cancelled'], {
  description: '`InProgress` until the action ends `Succeeded`, `Failed` or `Cancelled`',
});
export type ActionStatus = Static<typeof ActionStatus>;

export const EntryMode = Type.Enum(['Contactless', 'Contact', 'Swipe', 'Wallet'], {
  description: 'How the card was read',
});
export const Verification = Type.Enum(
  ['None', 'OfflinePin', 'OnlinePin', 'OnDevice', 'Signature', 'PinFailed'],
  { description: 'How the cardholder was verified; `PinFailed` when the verification of the PIN failed' },
);

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
    entryMode: EntryMode,
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

// Longer than any receipt of a payment terminal.
const COPY_LETTERS_MAX = 100_000;

export const Receipt = Type.Object(
  {
    merchantCopy: Type.String({
      maxLength: COPY_LETTERS_MAX,
      description: 'Copy for the merchant: plain text in lines of at most 32 characters',
    }),
    customerCopy: Type.String({
      maxLength: COPY_LETTERS_MAX,
      description: 'Copy for the cardholder: plain text in lines of at most 32 characters',
    }),
    // Not `Type.Record`: its key pattern does not match a key with a line break.
    fields: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: Type.String({ maxLength: 1_000 }),
      maxProperties: 60,
      propertyNames: { minLength: 1, maxLength: 60 },
      description: 'Content of the receipt by name, for a point of sale with a layout of its own',
    }),
  },
  { description: 'Both copies of the receipt' },
);
export type Receipt = Static<typeof Receipt>;

export const StartAction = defineMessage({
  name: 'action.start',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'Starts a payment or a refund. Ignored after `expiresAtMs`; replaces any earlier action.',
  body: Type.Object({
    ...step,
    type: ActionType,
    paymentSessionId: Id('paymentSession'),
    amountMinor: AmountMinor,
    currency: CurrencyCode,
    receiptPrintingSource: ReceiptSource,
    expiresAtMs: Type.Integer({ description: 'Epoch milliseconds, sandbox time' }),
    presentCardMs: Type.Integer({
      minimum: 1,
      description: 'Time for the cardholder to present a card, milliseconds',
    }),
    merchantName: Type.String({ description: 'Name of the merchant, for screen and receipt' }),
    cardholder: Type.Optional(
      Type.Enum(['walkAway', 'pressCancel'], {
        description: 'Sandbox only: what a magic amount makes the simulated cardholder do',
      }),
    ),
  }),
});

export const CancelAction = defineMessage({
  name: 'action.cancel',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'The point of sale cancelled the action. The server has ended it already.',
  body: Type.Object(step),
});

export const DecideAction = defineMessage({
  name: 'action.decision',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'Decision of the issuer on `action.authorise`.',
  body: Type.Object({
    ...step,
    outcome: Type.Enum(['approved', 'declined'], { description: 'Decision of the issuer' }),
    code: Type.Optional(Type.String({ description: 'Code of the reason for a decline' })),
    authorisationCode: Type.Optional(Type.String({ description: 'Six characters, if approved' })),
    chip: Type.Optional(ChipResponse),
  }),
});

export const ConfirmReceipt = defineMessage({
  name: 'receipt.confirmed',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'The point of sale printed a receipt copy, or failed to.',
  body: Type.Object({
    ...step,
    copy: CopyName,
    status: Type.Enum(['Succeeded', 'Failed'], { description: 'Whether the copy was printed' }),
  }),
});

export const EndAction = defineMessage({
  name: 'action.ended',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'Final status of an action at the server. The terminal closes its journal.',
  body: Type.Object({
    ...step,
    status: Type.Enum(['Succeeded', 'Failed', 'Cancelled'], { description: 'Final status of the action' }),
    code: Type.Optional(Type.String({ description: 'Code of the reason why the action failed' })),
  }),
});

export const RequestReport = defineMessage({
  name: 'report.request',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary:
    'The server was disconnected from the broker and may have missed a report. The terminal sends `action.inquired` and repeats the report that the action is waiting for.',
  body: Type.Object(step),
});

export const ActionAccepted = defineMessage({
  name: 'action.accepted',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The terminal has started the action and waits for a card.',
  body: Type.Object(step),
});

export const AuthoriseAction = defineMessage({
  name: 'action.authorise',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'A card was read and its holder verified; requests authorisation from the issuer. The reply is `action.decision`, or `action.ended` when the action has ended meanwhile.',
  body: Type.Object({
    ...step,
    card: MaskedCard,
    verification: Verification,
    chip: Type.Optional(ChipRequest),
    device: Type.Optional(
      withDescription(
        DeviceApproval,
        'Authorisation by the own bank of the device, which the server records before it decides',
      ),
    ),
  }),
});

export const ReceiptReady = defineMessage({
  name: 'receipt.ready',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'Both receipt copies of an approved action.',
  body: Type.Object({ ...step, receipt: Receipt }),
});

export const ActionCompleted = defineMessage({
  name: 'action.completed',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'The terminal has printed its receipt copies; the server captures. `failedCopies` lists those that could not be printed.',
  body: Type.Object({
    ...step,
    failedCopies: Type.Array(CopyName, { description: 'Copies that could not be printed' }),
  }),
});

export const ActionAbandoned = defineMessage({
  name: 'action.abandoned',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The terminal ended the action without completing it. An approval is reversed.',
  body: Type.Object({
    ...step,
    code: Type.Enum([...TERMINAL_ERROR_CODES], {
      description: 'Code of the reason why the terminal ended the action',
    }),
  }),
});

export const ActionInquired = defineMessage({
  name: 'action.inquired',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'Asks for the state of an action after a reconnect, a power cut or a sequence gap; the server repeats its last decision. Without `actionId` the terminal has no action in its journal.',
  body: Type.Object({ actionId: Type.Optional(step.actionId), seq: step.seq }),
});
