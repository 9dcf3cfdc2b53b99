import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { counts, sumMinor, type TerminalMemory, type Transaction } from '../stand-alone/journal.ts';
import { receiptLines, type Layout } from '../stand-alone/receipts.ts';
import type {
  Ending,
  MessageProblem,
  RefusedCommand,
  TerminalLanguage,
  TerminalReport,
  TillCommand,
} from '../stand-alone/terminal-language.ts';
import { COMMAND, REPEAT_UNPRINTED, REPEAT_WITH_STATUS, RESULT, type Apdu } from './apdu.ts';
import {
  CHARACTER_SETS,
  DEFAULT_SET,
  encodeText,
  packedNumber,
  type CharacterSet,
  type Fields,
} from './fields.ts';
import * as outgoingMessages from './outgoing-messages.ts';
import type { Registration } from './registration.ts';

/** A command of the ECR with what its answer depends on. */
export interface ZvtRequest {
  control: number;
  fields: Fields;
  /** The registration of the ECR; undefined before it. */
  registration: Registration | undefined;
}

const EURO = '0978';

/** Numbers of the copies, in the attribute of the last line (PA00P015 §3.5) and receipt type 1F07 (§3.6). */
const COPY_NUMBERS = { merchant: 1, customer: 2, administration: 3 } as const;
type PrintedCopy = keyof typeof COPY_NUMBERS;

const PRINT_LINE = 0x06d1;
const PRINT_TEXT_BLOCK = 0x06d3;
const LAST_LINE = 0x80;

/** Builds 06 D1 for each line. The attribute of the last line has the copy. */
export function lineCommands(lines: readonly string[], copy: PrintedCopy, set?: CharacterSet): Apdu[] {
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const attribute = isLast ? LAST_LINE | COPY_NUMBERS[copy] : 0;
    return { control: PRINT_LINE, data: concat(Uint8Array.of(attribute), encodeText(line, set)) };
  });
}

/** Builds 06 D3: one container with the receipt type and all lines. */
export function blockCommand(lines: readonly string[], copy: PrintedCopy, set?: CharacterSet): Apdu {
  const texts = lines.map((line) => encodeTlv('07', encodeText(line, set)));
  const receipt = concat(
    encodeTlv('1F07', Uint8Array.of(COPY_NUMBERS[copy])),
    encodeTlv('25', concat(...texts)),
  );
  return { control: PRINT_TEXT_BLOCK, data: encodeTlv('06', receipt) };
}

/** Returns what the ECR of a command supports. */
export function ecrCapabilities({
  registration,
}: Pick<ZvtRequest, 'registration'>): outgoingMessages.EcrCapabilities {
  return {
    characters: CHARACTER_SETS[registration?.characterSet ?? DEFAULT_SET] ?? 'cp437',
    containers: registration?.hasContainer ?? false,
  };
}

/** Encodes lines for printing, if the ECR registered for receipts of this kind. */
export function printMessages(
  request: Pick<ZvtRequest, 'registration'>,
  lines: string[],
  copy: PrintedCopy,
): Apdu[] {
  const kind = copy === 'administration' ? 'administration' : 'payment';
  const form = request.registration?.receipts[kind] ?? 'none';
  if (form === 'none') return [];
  const { characters } = ecrCapabilities(request);
  return form === 'blocks' ? [blockCommand(lines, copy, characters)] : lineCommands(lines, copy, characters);
}

/** The adapter of ZVT. Commands about the terminal itself, such as the registration, are in `command-handlers.ts`. */
export function createZvtLanguage(parts: {
  memory: TerminalMemory;
  layout(): Layout;
}): TerminalLanguage<ZvtRequest, Apdu> {
  const copies = (request: ZvtRequest, transaction: Transaction): Apdu[] =>
    (['merchant', 'customer'] as const).flatMap((copy) =>
      printMessages(request, receiptLines(transaction, copy, parts.layout()), copy),
    );
  const status = (request: ZvtRequest, transaction: Transaction): Apdu =>
    outgoingMessages.statusInformation(transaction, parts.memory.terminalId, ecrCapabilities(request));
  return {
    decode,
    encode(report, request) {
      if (report.type === 'result' && request.control === COMMAND.repeatReceipt)
        return encodeRepeated(
          request,
          status(request, report.transaction),
          copies(request, report.transaction),
        );
      if (report.type === 'result') {
        const { resultCode } = report.transaction;
        const ending =
          resultCode === 0 ? outgoingMessages.completion() : outgoingMessages.aborted(resultCode);
        return [status(request, report.transaction), ...copies(request, report.transaction), ending];
      }
      return encodeOther(report);
    },
  };
}

function decode({ control, fields }: ZvtRequest): TillCommand | MessageProblem {
  const amountMinor = packedNumber(fields.get(0x04));
  const receiptNumber = packedNumber(fields.get(0x87));
  switch (control) {
    case COMMAND.authorisation:
    case COMMAND.preAuthorisation:
    case COMMAND.refund:
      return { type: SALES[control], amountMinor: amountMinor ?? 0, currency: currencyIn(fields) };
    case COMMAND.reversal:
    case COMMAND.reservationReversal:
      // No transaction has the number 0.
      return { type: 'reverse', receiptNumber: receiptNumber ?? 0 };
    case COMMAND.bookReservation:
    case COMMAND.bookTotal:
      return { type: 'book', receiptNumber, amountMinor };
    case COMMAND.repeatReceipt:
      return { type: 'lastResult' };
    case COMMAND.turnoverTotals:
    case COMMAND.endOfDay:
      return { type: 'reconcile', closes: false };
    case COMMAND.abort:
      return { type: 'cancel' };
    default:
      return { problem: `no card command has the control field ${control.toString(16).padStart(4, '0')}` };
  }
}

const SALES = {
  [COMMAND.authorisation]: 'pay',
  [COMMAND.preAuthorisation]: 'reserve',
  [COMMAND.refund]: 'refund',
} as const;

function currencyIn(fields: Fields): string {
  const value = fields.get(0x49);
  return value ? toHex(value) : EURO;
}

/** Without a service byte the receipt is printed, and no status information sent (§2.20). */
function encodeRepeated({ fields }: ZvtRequest, status: Apdu, copies: Apdu[]): Apdu[] {
  const service = serviceByte(fields);
  return [
    ...(service & REPEAT_WITH_STATUS ? [status] : []),
    ...(service & REPEAT_UNPRINTED ? [] : copies),
    outgoingMessages.completion(),
  ];
}

/** BMP 03. */
export function serviceByte(fields: Fields): number {
  return fields.get(0x03)?.[0] ?? 0;
}

/** The result code (§10) of each refusal and of each early end. */
const CODES: Record<RefusedCommand | Ending, number> = {
  busy: RESULT.pleaseWait,
  badAmount: RESULT.protocolError,
  wrongCurrency: RESULT.wrongCurrency,
  noTransaction: RESULT.functionNotPossible,
  notReversible: RESULT.reversalNotPossible,
  alreadyReversed: RESULT.alreadyReversed,
  reservationWrong: RESULT.reservationWrong,
  tillCancelled: RESULT.aborted,
  cardholderCancelled: RESULT.aborted,
  timedOut: RESULT.aborted,
  cardUnreadable: RESULT.cardNotReadable,
};

/** Returns the result code of what ended before the bank was asked. */
export function resultCodeOf(reason: RefusedCommand | Ending): number {
  return CODES[reason];
}

function encodeOther(report: TerminalReport): Apdu[] {
  if (report.type === 'ended' || report.type === 'refused')
    return [outgoingMessages.aborted(CODES[report.reason])];
  if (report.type !== 'totals') return [outgoingMessages.completion()];
  const { journal } = report;
  const currency = journal.find(counts)?.currency ?? EURO;
  return [outgoingMessages.totalsStatus(sumMinor(journal, currency), currency, journal)];
}
