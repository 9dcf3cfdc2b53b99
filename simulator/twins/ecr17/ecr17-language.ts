import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import { sumMinor, type TerminalMemory, type Transaction } from '../stand-alone/journal.ts';
import { receiptLines, type Layout } from '../stand-alone/receipts.ts';
import type {
  Ending,
  MessageProblem,
  RefusedCommand,
  TerminalLanguage,
  TerminalReport,
  TillCommand,
} from '../stand-alone/terminal-language.ts';
import * as answers from './answers.ts';
import { fieldOf, type Ecr17Request } from './requests.ts';

/** How the receipts of the terminal look. */
export const TERMINAL_OPTIONS = {
  language: 'it',
  columns: 24,
  declineText: (code: number) => `RIFIUTATA (${code})`,
} as const;

interface LanguageParts {
  memory: TerminalMemory;
  layout(): Layout;
  nowMs(): number;
  /** The state of the terminal that `s` reports. */
  state(): string;
  /** Whether the currency of the card is converted, which `X` reports. */
  converts(): boolean;
}

const EURO = CURRENCY_NUMBERS.EUR;
const POUND = { rate: 8_500, currency: '826' };

/** The adapter of Protocollo 17, whose messages have fixed columns. All amounts are in euros. */
export function createEcr17Language(parts: LanguageParts): TerminalLanguage<Ecr17Request, string> {
  return {
    decode: (request) => decode(request, parts.memory),
    encode: (report, request) => encode(report, request, parts),
  };
}

function decode({ code, payload }: Ecr17Request, memory: TerminalMemory): TillCommand | MessageProblem {
  const amountMinor = Number(fieldOf(payload, 24, 8));
  switch (code) {
    case 'P':
    case 'X':
      return { type: 'pay', amountMinor, currency: EURO };
    case 'p':
      return { type: 'reserve', amountMinor, currency: EURO };
    case 'A':
      return { type: 'refund', amountMinor, currency: EURO };
    case 'S':
      return { type: 'reverse', receiptNumber: receiptOf(memory, fieldOf(payload, 19, 6)) };
    case 'Q':
      return { type: 'reverse', receiptNumber: receiptOf(memory, fieldOf(payload, 25, 6)) };
    case 'i':
      return { type: 'extend', receiptNumber: Number(fieldOf(payload, 160, 9)), amountMinor };
    case 'c':
      return { type: 'book', receiptNumber: Number(fieldOf(payload, 160, 9)), amountMinor };
    case 'C':
    case 'T':
      return { type: 'reconcile', closes: code === 'C' };
    case 'G':
      return { type: 'lastResult' };
    case 'R':
      return { type: 'print' };
    case 's':
      return { type: 'status' };
    default:
      return { problem: `message ${code}: it asks nothing of the bank` };
  }
}

/** The receipt number of a transaction by its STAN: undefined for the last one, 0 when there is none. */
function receiptOf({ journal }: TerminalMemory, stan: string): number | undefined {
  if (Number(stan) === 0) return undefined;
  return journal.findLast(({ traceNumber }) => traceNumber === Number(stan))?.receiptNumber ?? 0;
}

const TEXTS: Record<RefusedCommand | Ending, string> = {
  busy: 'TERMINALE OCCUPATO',
  badAmount: 'IMPORTO ERRATO',
  wrongCurrency: 'VALUTA ERRATA',
  noTransaction: 'NESSUNA OPERAZIONE',
  notReversible: 'OPERAZIONE NON TROVATA',
  alreadyReversed: 'GIA STORNATA',
  reservationWrong: 'PREAUTORIZZ. ERRATA',
  tillCancelled: 'OPERAZIONE ANNULLATA',
  cardholderCancelled: 'ANNULLATA DA CLIENTE',
  timedOut: 'TEMPO SCADUTO',
  cardUnreadable: 'CARTA NON LEGGIBILE',
};

function encode(report: TerminalReport, request: Ecr17Request, parts: LanguageParts): string[] {
  const { terminalId, journal } = parts.memory;
  if (report.type === 'status') return [answers.statusAnswer(terminalId, parts.nowMs(), parts.state())];
  if (report.type === 'totals' && (request.code === 'C' || request.code === 'T'))
    return [answers.totalsAnswer(terminalId, request.code, sumMinor(report.journal, EURO))];
  if (report.type === 'printed')
    return request.receiptsTo === '0' ? [] : tickets(report.transaction, request, parts);
  if (report.type === 'ended' || report.type === 'refused')
    return [answerOf(request, terminalId, failure(report.reason, request), parts.converts())];
  if (report.type !== 'result') return [answers.totalsAnswer(terminalId, 'T', sumMinor(journal, EURO))];
  const { transaction } = report;
  return [
    answerOf(request, terminalId, { transaction }, parts.converts()),
    ...tickets(transaction, request, parts),
  ];
}

/** A till that says that the card is there already hears that it is not. */
function failure(reason: RefusedCommand | Ending, { code, payload }: Ecr17Request): answers.Outcome {
  const isExpected = 'PXp'.includes(code) && fieldOf(payload, 22, 1) === '1';
  const result = reason === 'timedOut' && isExpected ? answers.RESULT.noCard : answers.RESULT.notDone;
  return { result, text: TEXTS[reason] };
}

/** Encodes the answer to a message for which the bank is asked, or was to be asked. */
export function answerOf(
  { code }: Pick<Ecr17Request, 'code'>,
  terminalId: string,
  outcome: answers.Outcome,
  converts: boolean,
): string {
  switch (code) {
    case 'X': {
      const isDone = 'transaction' in outcome && outcome.transaction.resultCode === 0;
      return answers.extendedAnswer(terminalId, outcome, converts && isDone ? POUND : undefined);
    }
    case 'S':
    case 'Q':
      return answers.reversalAnswer(terminalId, outcome);
    case 'p':
      return answers.reservationAnswer(terminalId, outcome);
    case 'i':
      return answers.extensionAnswer(terminalId, outcome);
    case 'c':
      return answers.closeReservationAnswer(terminalId, outcome);
    case 'A':
      return answers.refundAnswer(terminalId, outcome);
    default:
      return answers.paymentAnswer(terminalId, outcome);
  }
}

/** The receipts for the till: both copies, or the merchant's alone. */
function tickets(
  transaction: Transaction,
  { receiptsTo }: Ecr17Request,
  { layout, memory }: LanguageParts,
): string[] {
  if (receiptsTo === '0') return [];
  const copies = receiptsTo === '3' ? (['merchant'] as const) : (['merchant', 'customer'] as const);
  return answers.ticketMessages(
    memory.terminalId,
    copies.map((copy) => receiptLines(transaction, copy, layout())),
  );
}
