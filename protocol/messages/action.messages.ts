import { TERMINAL_ERROR_CODES } from '../failures.ts';
import { defineMessage } from '../message.ts';
import { REASON_CHARACTERS_MAX } from '../reason.ts';
import { AmountMinor, CurrencyCode, Id, Type, withDescription, type Static } from '../schema.ts';
import { ChipRequest, ChipResponse, DeviceApproval, MaskedCard } from './card-data.schema.ts';

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

/** Why something failed at a terminal, in words (protocol/reason.ts). */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_CHARACTERS_MAX,
  description: 'Why it failed, in words: one printable line, without card numbers',
});

export const Verification = Type.Enum(
  ['None', 'OfflinePin', 'OnlinePin', 'OnDevice', 'Signature', 'PinFailed'],
  { description: 'How the cardholder was verified; `PinFailed` when the verification of the PIN failed' },
);

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

/**
 * Code of the end of an action that the server does not know, as after a reset. No action at the server has it, so a terminal
 * can tell it from what a person has settled.
 */
export const UNKNOWN_ACTION_CODE = 'unknown_action';

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
    receipt: Type.Optional(
      withDescription(
        Receipt,
        'The same receipt as in `receipt.ready`, which may be lost or arrive later than this message',
      ),
    ),
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
    reason: Type.Optional(
      withDescription(
        Reason,
        'What the reader reported, in words: one printable line, without card numbers. Absent when the code says it all.',
      ),
    ),
  }),
});

export const ActionUnsettled = defineMessage({
  name: 'action.unsettled',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'A payment terminal has the request, and neither the server nor the terminal can take it back. No time-out and no cancel ends the action from then on: `action.authorise` or `action.abandoned` follows, or a person settles it.',
  body: Type.Object({
    ...step,
    outcome: Type.Enum(['Pending', 'Unknown'], {
      description: '`Unknown` when the outcome did not come in time, or cannot be read; it may still follow',
    }),
    reason: Type.Optional(
      withDescription(
        Reason,
        'Why the outcome is unknown, in words: one printable line, without card numbers',
      ),
    ),
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
  body: Type.Object({
    actionId: Type.Optional(step.actionId),
    seq: step.seq,
    requestedActionId: Type.Optional(
      withDescription(
        step.actionId,
        'Id of the action of a `report.request` that the terminal does not know. Only then the server ends that action as lost.',
      ),
    ),
  }),
});
