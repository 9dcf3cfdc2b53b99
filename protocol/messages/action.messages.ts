import { TERMINAL_ERROR_CODES } from '../failures.ts';
import { defineMessage } from '../message.ts';
import { AmountMinor, CurrencyCode, Id, Type, withDescription, type Static } from '../schema.ts';

/** What a 32-bit integer of a database or of a small terminal holds. */
export const SEQ_MAX = 2 ** 31 - 1;

/**
 * The life of an action between server and terminal (Spec §4.12). Each message carries the action it is about
 * and a sequence number that its sender counts up from 1 within that action: a repeat is dropped, a gap is
 * seen and mended by `action.inquired`.
 */
const step = { actionId: Id('action'), seq: Type.Integer({ minimum: 1, maximum: SEQ_MAX }) };

export const ActionType = Type.Enum(['Payment', 'Refund']);
export const ReceiptSource = Type.Enum(['Terminal', 'PointOfSale']);
export const CopyName = Type.Enum(['merchantCopy', 'customerCopy']);
export const ActionStatus = Type.Enum(['InProgress', 'Succeeded', 'Failed', 'Cancelled']);
export type ActionStatus = Static<typeof ActionStatus>;

export const EntryMode = Type.Enum(['Contactless', 'Contact', 'Swipe', 'Wallet']);
export const Verification = Type.Enum([
  'None',
  'OfflinePin',
  'OnlinePin',
  'OnDevice',
  'Signature',
  'PinFailed',
]);

/** What of a card leaves the reader module: never more than BIN and last four. */
export const MaskedCard = Type.Object({
  scheme: Type.Enum(['Visa', 'Mastercard', 'Amex']),
  bin: Type.String({ pattern: '^[0-9]{6}$' }),
  last4: Type.String({ pattern: '^[0-9]{4}$' }),
  expiryMonth: Type.String({ pattern: '^(0[1-9]|1[0-2])$' }),
  expiryYear: Type.String({ pattern: '^20[0-9]{2}$' }),
  entryMode: EntryMode,
  wallet: Type.Optional(Type.Enum(['ApplePay', 'GooglePay'])),
  fundingType: Type.Optional(Type.Enum(['Credit', 'Debit', 'Prepaid'])),
  applicationLabel: Type.Optional(Type.String({ maxLength: 16 })),
  aid: Type.Optional(
    withDescription(
      Type.String({ pattern: '^[ADF][0-9A-F]{9,31}$' }),
      'ISO 7816-5: registered with A, D or F before',
    ),
  ),
});
export type MaskedCard = Static<typeof MaskedCard>;

/** Bytes as upper-case hexadecimal digits. */
function Hex(bytes: { min?: number; max: number }) {
  return Type.String({
    pattern: '^([0-9A-F]{2})*$',
    minLength: (bytes.min ?? 0) * 2,
    maxLength: bytes.max * 2,
  });
}

/** Which DUKPT a terminal's keys follow: X9.24-1 (TDES) or X9.24-3 (AES). */
export const KeyScheme = Type.Enum(['TDES', 'AES']);

/** Card data under a key of one transaction, for the issuer alone. */
export const ProtectedCardData = Type.Object({
  scheme: KeyScheme,
  ksn: Hex({ min: 10, max: 12 }),
  cipherText: Hex({ min: 8, max: 256 }),
});
export type ProtectedCardData = Static<typeof ProtectedCardData>;

/** A PIN block under a key of one transaction: ISO 9564-1 format 0 with TDES, format 4 with AES. */
export const ProtectedPin = Type.Object({
  scheme: KeyScheme,
  ksn: Hex({ min: 10, max: 12 }),
  pinBlock: Hex({ min: 8, max: 16 }),
});
export type ProtectedPin = Static<typeof ProtectedPin>;

/** What a reader of real card data has for the issuer. */
export const ChipRequest = Type.Object({
  emv: withDescription(
    Hex({ max: 512 }),
    'BER-TLV with the cryptogram and what it was made of (EMV 4.4 Book 3 §6.5.5.4); without card number and track; empty for a stripe',
  ),
  cardData: ProtectedCardData,
  pin: Type.Optional(ProtectedPin),
});
export type ChipRequest = Static<typeof ChipRequest>;

/** What the issuer answers to the card. */
export const ChipResponse = Type.Object({
  emv: withDescription(
    Hex({ max: 256 }),
    'BER-TLV: 8A authorisation response code, 91 issuer authentication data',
  ),
});
export type ChipResponse = Static<typeof ChipResponse>;

/** An authorisation that a payment terminal got from its own bank. */
export const DeviceApproval = Type.Object({
  authorisationCode: Type.String({ pattern: '^[A-Z0-9]{0,8}$' }),
  reference: Type.String({ maxLength: 40, description: 'What the device calls the payment, to reverse it' }),
});
export type DeviceApproval = Static<typeof DeviceApproval>;

// More than any receipt that a payment terminal prints.
const COPY_LETTERS_MAX = 100_000;

export const Receipt = Type.Object({
  merchantCopy: Type.String({
    maxLength: COPY_LETTERS_MAX,
    description: 'Copy for the merchant: plain text in lines of at most 32 characters',
  }),
  customerCopy: Type.String({
    maxLength: COPY_LETTERS_MAX,
    description: 'Copy for the cardholder: plain text in lines of at most 32 characters',
  }),
  // Not `Type.Record`, which knows its keys by a pattern that a key with a line break does not match.
  fields: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Type.String({ maxLength: 1_000 }),
    maxProperties: 60,
    propertyNames: { minLength: 1, maxLength: 60 },
    description: 'Content of the receipt by name, for a point of sale with a layout of its own',
  }),
});
export type Receipt = Static<typeof Receipt>;

export const StartAction = defineMessage({
  name: 'action.start',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'Begin a payment or a refund. Void once `expiresAtMs` has passed; supersedes any earlier action.',
  body: Type.Object({
    ...step,
    type: ActionType,
    paymentSessionId: Id('paymentSession'),
    amountMinor: AmountMinor,
    currency: CurrencyCode,
    receiptPrintingSource: ReceiptSource,
    expiresAtMs: Type.Integer({ description: 'Epoch milliseconds, sandbox time' }),
    presentCardMs: Type.Integer({ minimum: 1, description: 'How long the cardholder has to present a card' }),
    merchantName: Type.String(),
    cardholder: Type.Optional(
      Type.Enum(['walkAway', 'pressCancel'], {
        description: 'Sandbox only: a magic amount tells the simulated cardholder what to do',
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
  summary: 'The point of sale cancelled. The server has ended the action already; the terminal follows.',
  body: Type.Object(step),
});

export const DecideAction = defineMessage({
  name: 'action.decision',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'What the issuer said to `action.authorise`.',
  body: Type.Object({
    ...step,
    outcome: Type.Enum(['approved', 'declined']),
    code: Type.Optional(Type.String({ description: 'Why it was declined' })),
    authorisationCode: Type.Optional(Type.String({ description: 'Six characters, with an approval' })),
    chip: Type.Optional(ChipResponse),
  }),
});

export const ConfirmReceipt = defineMessage({
  name: 'receipt.confirmed',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'The point of sale printed (or could not print) a copy.',
  body: Type.Object({ ...step, copy: CopyName, status: Type.Enum(['Succeeded', 'Failed']) }),
});

export const EndAction = defineMessage({
  name: 'action.ended',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'The last word on an action: how it ended at the server. The terminal settles its journal.',
  body: Type.Object({
    ...step,
    status: Type.Enum(['Succeeded', 'Failed', 'Cancelled']),
    code: Type.Optional(Type.String()),
  }),
});

export const RequestReport = defineMessage({
  name: 'report.request',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary:
    'The server was not connected to the broker and may have missed a report. Inquire, and send again what the action is waiting for.',
  body: Type.Object(step),
});

export const ActionAccepted = defineMessage({
  name: 'action.accepted',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The terminal has begun the action and waits for a card.',
  body: Type.Object(step),
});

export const AuthoriseAction = defineMessage({
  name: 'action.authorise',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'A card was read and its holder verified: ask the issuer. Answered by `action.decision`, or by `action.ended` when the action has ended meanwhile.',
  body: Type.Object({
    ...step,
    card: MaskedCard,
    verification: Verification,
    chip: Type.Optional(ChipRequest),
    device: Type.Optional(
      withDescription(
        DeviceApproval,
        'The device has authorised at its own bank: the server takes note and rules',
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
  summary: 'The receipt of an approved action, both copies.',
  body: Type.Object({ ...step, receipt: Receipt }),
});

export const ActionCompleted = defineMessage({
  name: 'action.completed',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The terminal printed what it had to print: capture. Copies that could not be printed are named.',
  body: Type.Object({ ...step, failedCopies: Type.Array(CopyName) }),
});

export const ActionAbandoned = defineMessage({
  name: 'action.abandoned',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The terminal ended the action without completing it. What had been approved is reversed.',
  body: Type.Object({ ...step, code: Type.Enum([...TERMINAL_ERROR_CODES]) }),
});

export const ActionInquired = defineMessage({
  name: 'action.inquired',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'After a reconnect, a power cut or a gap: what became of this action? The server repeats what it has decided. Without an action the terminal says that it has none in its journal.',
  body: Type.Object({ actionId: Type.Optional(step.actionId), seq: step.seq }),
});
