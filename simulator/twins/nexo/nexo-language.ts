import { CURRENCY_NUMBERS, isCurrency } from '../../../protocol/money.ts';
import { entriesOf } from '../../../protocol/tables.ts';
import { counts, type TerminalMemory, type Transaction } from '../stand-alone/journal.ts';
import type { Layout } from '../stand-alone/receipts.ts';
import type {
  MessageProblem,
  TerminalLanguage,
  TerminalReport,
  TillCommand,
} from '../stand-alone/terminal-language.ts';
import type { NexoRequest } from './messages.ts';
import {
  amountOf,
  CONDITIONS,
  declined,
  failure,
  minorOf,
  paymentReceipts,
  paymentResult,
  poiData,
  responseTo,
  success,
  transactionIdOf,
  type Json,
} from './responses.ts';

interface LanguageParts {
  memory: TerminalMemory;
  layout(): Layout;
  nowMs(): number;
}

/** A currency that the terminal does not have, for which it has no number. */
const NO_CURRENCY = '0000';

/** The adapter of nexo in JSON. Messages that ask nothing of the terminal's bank are in `device-requests.ts`. */
export function createNexoLanguage(parts: LanguageParts): TerminalLanguage<NexoRequest, Json> {
  return {
    decode: (request) => decode(request, parts.memory),
    encode: (report, request) => [responseTo(request.header, bodyOf(report, request, parts))],
  };
}

function decode(request: NexoRequest, memory: TerminalMemory): TillCommand | MessageProblem {
  switch (request.category) {
    case 'Payment': {
      const { Currency: code, RequestedAmount: amount } = request.body.PaymentTransaction.AmountsReq;
      const isRefund = request.body.PaymentData?.PaymentType === 'Refund';
      const currency = isCurrency(code) ? CURRENCY_NUMBERS[code] : NO_CURRENCY;
      return { type: isRefund ? 'refund' : 'pay', amountMinor: minorOf(amount), currency };
    }
    case 'Reversal': {
      const { OriginalPOITransaction: original, ReversedAmount: amount } = request.body;
      const receiptNumber = receiptOf(memory, original.POITransactionID.TransactionID);
      return {
        type: 'reverse',
        receiptNumber,
        amountMinor: amount === undefined ? undefined : minorOf(amount),
      };
    }
    case 'Abort':
      return { type: 'cancel' };
    case 'TransactionStatus':
      return { type: 'lastResult' };
    case 'GetTotals':
    case 'Reconciliation':
      return { type: 'reconcile', closes: request.category === 'Reconciliation' };
    case 'Diagnosis':
      return { type: 'status' };
    default:
      return { problem: `category ${request.category}: it asks nothing of the bank` };
  }
}

/** The receipt number of a transaction by its id, of which a till may leave out the acquirer's part; 0 for none. */
function receiptOf({ journal }: TerminalMemory, id: string): number {
  const found = journal.findLast((made) => {
    const whole = transactionIdOf(made);
    return whole === id || whole.split('.')[0] === id;
  });
  return found?.receiptNumber ?? 0;
}

function bodyOf(report: TerminalReport, request: NexoRequest, parts: LanguageParts): Json {
  switch (report.type) {
    case 'status':
      return diagnosis(report, request);
    case 'totals':
      return { Response: success(), TransactionTotals: totalsOf(report.journal) };
    case 'ended':
    case 'refused': {
      const { condition, message } = CONDITIONS[report.reason];
      return { Response: failure(condition, { message }), ...saleData(request) };
    }
    default:
      return resultOf(report.transaction, request, parts);
  }
}

function saleData(request: NexoRequest): Json {
  return request.category === 'Payment' ? { SaleData: request.body.SaleData } : {};
}

function resultOf(
  transaction: Transaction,
  request: NexoRequest,
  { memory, layout, nowMs }: LanguageParts,
): Json {
  const poi = { POIData: poiData(transaction, nowMs()) };
  const receipts = { PaymentReceipt: paymentReceipts(transaction, layout()) };
  if (request.category !== 'Payment') return { Response: success(), ...poi, ...receipts };
  const isApproved = transaction.resultCode === 0;
  const currency = request.body.PaymentTransaction.AmountsReq.Currency;
  return {
    Response: isApproved ? success({ tid: memory.terminalId }) : declined(transaction),
    ...saleData(request),
    ...poi,
    ...(isApproved && { PaymentResult: paymentResult(transaction, currency, memory) }),
    ...receipts,
  };
}

function diagnosis({ busy, hasPaper }: { busy: boolean; hasPaper: boolean }, request: NexoRequest): Json {
  const asksHost = request.category === 'Diagnosis' && request.body.HostDiagnosisFlag === true;
  return {
    Response: success(),
    POIStatus: {
      GlobalStatus: busy ? 'Busy' : 'OK',
      CommunicationOKFlag: true,
      PrinterStatus: hasPaper ? 'OK' : 'NoPaper',
      CardReaderOKFlag: true,
      PEDOKFlag: true,
      SecurityOKFlag: true,
    },
    ...(asksHost && { HostStatus: [{ AcquirerID: 'TAPBENCH', IsReachableFlag: true }] }),
  };
}

const TYPES = { payment: 'Debit', refund: 'Credit' } as const;

/** Totals of each currency, payments and refunds by themselves. */
function totalsOf(journal: readonly Transaction[]): Json[] {
  const codes = entriesOf(CURRENCY_NUMBERS).filter(([, number]) =>
    journal.some((made) => counts(made) && made.currency === number),
  );
  return codes.map(([code, number]) => ({
    PaymentInstrumentType: 'Card',
    PaymentCurrency: code,
    PaymentTotals: entriesOf(TYPES).map(([kind, type]) => {
      const made = journal.filter((one) => counts(one) && one.currency === number && one.kind === kind);
      const sumMinor = made.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      return { TransactionType: type, TransactionCount: made.length, TransactionAmount: amountOf(sumMinor) };
    }),
  }));
}
