import { defineMessage } from '../message.ts';
import { Type, type Static } from '../schema.ts';

/** Receipts of a printer that are shown, and letters of each: more than a payment prints. */
export const RECEIPTS_SHOWN_MAX = 2;
export const RECEIPT_LETTERS_MAX = 4_000;

const condition = {
  paper: Type.Enum(['enough', 'near end', 'out'], { description: 'Paper of the printer' }),
  linesLeft: Type.Integer({ minimum: 0, description: 'Lines that are left of the roll' }),
  cover: Type.Enum(['open', 'closed'], { description: 'Cover of the printer' }),
  error: Type.Enum(['none', 'cutter', 'mechanical', 'unrecoverable', 'head hot'], {
    description: 'What has stopped the printer besides paper and cover',
  }),
  drawer: Type.Enum(['open', 'closed'], { description: 'The cash drawer at the printer' }),
};

/** How the receipt printer beside a simulated terminal is. */
export const ReceiptPrinterCondition = Type.Object(condition);
export type ReceiptPrinterCondition = Static<typeof ReceiptPrinterCondition>;

export const PrinterShown = defineMessage({
  name: 'printer.shown',
  audience: 'simulators',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'The receipt printer beside a simulated terminal has changed, or has printed a receipt.',
  body: Type.Object({
    ...condition,
    printed: Type.Integer({ minimum: 0, description: 'Number of receipts that it has printed' }),
    receipts: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 1, description: 'Number of the receipt, from 1' }),
        end: Type.String({ maxLength: 40, description: 'What ended it, such as `partial cut`' }),
        text: Type.String({
          maxLength: RECEIPT_LETTERS_MAX,
          description: 'The paper as text, with card numbers as on the receipt',
        }),
      }),
      { maxItems: RECEIPTS_SHOWN_MAX, description: 'The last receipts, oldest first' },
    ),
  }),
});
