import type { Receipt } from '../../protocol/messages/action.messages.ts';
import { formatMinor } from '../../protocol/money.ts';
import type { Static } from '../../protocol/schema.ts';
import type { ActionContext, CopyName, Verification } from './action-events.ts';

export type PrintOutcome = 'printed' | 'noPaper';

/** The receipt printer of a terminal. Resolves when the copy is printed, or cannot be. */
export interface Printer {
  /** Sheets of paper left; absent when the printer cannot count them. */
  readonly sheets?: number;
  print(copy: 'merchantCopy' | 'customerCopy', text: string): Promise<PrintOutcome>;
}

/** Width of a terminal's paper in characters (docs/choices.md, Receipts). */
export const RECEIPT_COLUMNS = 32;

const VERIFICATION_LINES: Record<Verification, string> = {
  None: 'NO CARDHOLDER VERIFICATION',
  OfflinePin: 'PIN VERIFIED',
  OnlinePin: 'PIN VERIFIED ONLINE',
  OnDevice: 'VERIFIED ON DEVICE',
  Signature: 'SIGNATURE',
  PinFailed: 'PIN NOT VERIFIED',
};

const COPY_TITLES: Record<CopyName, string> = {
  merchantCopy: 'MERCHANT COPY',
  customerCopy: 'CUSTOMER COPY',
};

/**
 * Creates the receipt of an approved action. Depends on the action's context alone, so it is the same each time.
 */
export function receiptOf(context: ActionContext, terminalId: string): Static<typeof Receipt> {
  const fields = receiptFields(context, terminalId);
  return {
    merchantCopy: copyText(context, fields, 'merchantCopy'),
    customerCopy: copyText(context, fields, 'customerCopy'),
    fields,
  };
}

/** Creates one copy of the same receipt, for the printer. */
export function receiptCopyOf(context: ActionContext, terminalId: string, copy: CopyName): string {
  return copyText(context, receiptFields(context, terminalId), copy);
}

function copyText(context: ActionContext, fields: Record<string, string>, copy: CopyName): string {
  // A payment terminal provides its own receipts, as its bank requires.
  return context.deviceReceipt?.[copy] ?? formatCopy(context, fields, copy);
}

/** Returns the fields by their names in nexo (CAPE) retailer messages, or in EMV 4.4 Book 3 Annex A. */
function receiptFields(context: ActionContext, terminalId: string): Record<string, string> {
  const { start, card, authorisationCode, approvedAtMs } = context;
  const fields: Record<string, string | undefined> = {
    MerchantName: start.merchantName,
    POIID: terminalId,
    POITransactionID: start.actionId,
    SaleTransactionID: start.paymentSessionId,
    TransactionTimeStamp: new Date(approvedAtMs ?? 0).toISOString().replace(/\.\d+Z$/, 'Z'),
    TransactionType: start.type,
    PaymentBrand: card?.scheme,
    MaskedPAN: card ? `************${card.last4}` : undefined,
    EntryMode: card?.entryMode,
    ApplicationLabel: card?.applicationLabel,
    ApplicationIdentifier: card?.aid,
    ApprovalCode: authorisationCode ?? undefined,
    AuthorizedAmount: String(start.amountMinor),
    Currency: start.currency,
    CardholderVerification: isEntryKnown(context) ? context.verification : undefined,
    Result: 'Approved',
  };
  const known = Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(known);
}

/** A payment terminal that does not say how it read the card does not say how it verified the holder either. */
function isEntryKnown({ card }: ActionContext): boolean {
  return !card || card.entryMode !== undefined;
}

function formatCopy(context: ActionContext, fields: Record<string, string>, copy: CopyName): string {
  const { start, card, verification } = context;
  const [date = '', time = ''] = fields['TransactionTimeStamp']!.replace('Z', '').split('T');
  const optional = (label: string, value: string | undefined) => (value ? labelled(label, value) : []);
  const lines = [
    ...centred(start.merchantName),
    ...centred(fields['POIID']!),
    '',
    ...labelled(date, `${time} UTC`),
    ...centred(start.type === 'Refund' ? 'REFUND' : 'SALE'),
    '',
    ...optional(fields['PaymentBrand']?.toUpperCase() ?? 'CARD', fields['MaskedPAN']),
    ...optional('ENTRY', (card?.wallet ?? card?.entryMode)?.toUpperCase()),
    ...optional('AID', fields['ApplicationIdentifier']),
    ...optional('APP', fields['ApplicationLabel']),
    ...optional('AUTH CODE', fields['ApprovalCode']),
    '',
    ...labelled(
      start.type === 'Refund' ? 'REFUNDED' : 'AMOUNT',
      formatMinor(start.amountMinor, start.currency),
    ),
    '',
    ...(isEntryKnown(context) ? centred(VERIFICATION_LINES[verification]) : []),
    ...(verification === 'Signature' && copy === 'merchantCopy' ? signatureLine() : []),
    ...centred('APPROVED'),
    '',
    ...centred(COPY_TITLES[copy]),
    ...(copy === 'customerCopy' ? centred('PLEASE RETAIN FOR YOUR RECORDS') : []),
  ];
  return lines.join('\n');
}

/** Aligns a label left and its value right, on two lines when one is too short. */
function labelled(label: string, value: string): string[] {
  const room = RECEIPT_COLUMNS - label.length - 1;
  if (value.length <= room) return [`${label} ${value.padStart(room)}`];
  return [...wrap(label), ...wrap(value).map((line) => line.padStart(RECEIPT_COLUMNS))];
}

function centred(text: string): string[] {
  return wrap(text).map((line) => ' '.repeat(Math.floor((RECEIPT_COLUMNS - line.length) / 2)) + line);
}

function signatureLine(): string[] {
  return ['', '', `X${'_'.repeat(RECEIPT_COLUMNS - 1)}`];
}

/** Wraps text to the width of the paper, at a space where possible. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  let rest = text.replace(/\s+/g, ' ').trim();
  while (rest.length > RECEIPT_COLUMNS) {
    const space = rest.lastIndexOf(' ', RECEIPT_COLUMNS);
    const cut = space > 0 ? space : RECEIPT_COLUMNS;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}
