import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { TerminalMemory, Transaction } from '../stand-alone/journal.ts';
import { receiptLines, type Layout } from '../stand-alone/receipts.ts';
import type {
  Ending,
  MessageProblem,
  RefusedCommand,
  TerminalLanguage,
  TerminalReport,
  TillCommand,
} from '../stand-alone/terminal-language.ts';
import { recordsText, type Records } from './records.ts';

/** Why a payment is not done (AF). */
const REASON = {
  refused: '04',
  forbidden: '05',
  givenUp: '06',
  notCompleted: '07',
  nobodyActed: '08',
  format: '09',
  selection: '10',
  stopped: '11',
  unknownAction: '12',
  wrongCurrency: '13',
} as const;
type Reason = (typeof REASON)[keyof typeof REASON];

/** Outcome (AE). */
const DONE = '10';
const NOT_DONE = '01';
const TAKEN_IN = '11';

/** The version of the terminal, and the identifier of its maker, for an answer with its own. */
const OWN = { CZ: '0320', CJ: '330538600404' };
const CONTRACT = '424242';
const CHEQUE = '00C';

/** Mandatory records, with what each has to look like. An amount of one digit is seen in the field. */
const MANDATORY: Record<string, { form: RegExp; rule: string }> = {
  CZ: { form: /^03[0-9]{2}$/, rule: 'the version is 03 and two digits' },
  CJ: { form: /^[0-9]{12}$/, rule: 'the identifier is twelve digits' },
  CA: { form: /^[0-9]{2}$/, rule: 'the number of the till is two digits' },
  CD: { form: /^[0-9A-Z]$/, rule: 'the action is one character' },
};
const MANDATORY_FOR_MONEY: typeof MANDATORY = {
  CB: { form: /^[0-9]{1,12}$/, rule: 'the amount is two to twelve digits' },
  CE: { form: /^[0-9]{3}$/, rule: 'the currency is three digits' },
};

/** Applications that the terminal has (CC): any, bank card, American Express, cheque. */
const APPLICATIONS = ['000', '001', '00B', '002', '00D', CHEQUE];

/** How the receipts of the terminal look. */
export const TERMINAL_OPTIONS = { language: 'fr', columns: 24 } as const;

/** How an answer may differ from its request: by the terminal's own CZ and CJ, or by a padded amount. */
export const ANSWER_FORMS = ['echo', 'own', 'padded'] as const;
export type AnswerForm = (typeof ANSWER_FORMS)[number];

interface LanguageParts {
  memory: TerminalMemory;
  layout(): Layout;
  /** How answers differ from their requests, within the rules. */
  form(): AnswerForm;
}

/** The adapter of Caisse-AP V3, whose messages are records in ASCII. */
export function createCaisseApLanguage(parts: LanguageParts): TerminalLanguage<Records, string> {
  return {
    decode: (records) => decode(records, parts.memory),
    encode: (report, records) => [answer(records, outcomeOf(report, records, parts), parts.form())],
  };
}

/** Encodes the answer to a request that breaks a rule, as far as it was read. */
export function encodeProblem(records: Records): string {
  return answer(records, notDone(reasonOf(records)), 'echo');
}

function reasonOf(records: Records): Reason {
  if (misfitIn(records, MANDATORY)) return REASON.format;
  if (actionOf(records) === undefined) return REASON.unknownAction;
  return missingApplication(records) ? REASON.selection : REASON.format;
}

/** Encodes the answer to a request that wants one at once (BA): no result follows. */
export function encodeTakenIn(records: Records): string {
  return answer(records, [['AE', TAKEN_IN]], 'echo');
}

const ACTIONS = { '0': 'pay', '1': 'refund', '2': 'reverse', '4': 'reserve', I: 'status' } as const;

function decode(records: Records, memory: TerminalMemory): TillCommand | MessageProblem {
  const misfit = misfitIn(records, MANDATORY);
  if (misfit) return misfit;
  const action = actionOf(records);
  if (action === undefined) return { problem: 'request, record CD: the terminal does not have this action' };
  if (action === 'status') return { type: 'status' };
  const wrong = misfitIn(records, MANDATORY_FOR_MONEY);
  if (wrong) return wrong;
  const missing = missingApplication(records);
  if (missing) return missing;
  // A cheque is looked up by its number: no card is charged.
  if (records.get('CC') === CHEQUE) return { type: 'status' };
  const amountMinor = Number(records.get('CB'));
  if (action === 'reverse') return { type: 'reverse', receiptNumber: paymentOf(memory, amountMinor) };
  const currency = records.get('CE')!.padStart(4, '0');
  return { type: action, amountMinor, currency, mayBePartial: records.get('BF') === '1' };
}

function actionOf(records: Records): (typeof ACTIONS)[keyof typeof ACTIONS] | undefined {
  const named: Record<string, (typeof ACTIONS)[keyof typeof ACTIONS]> = ACTIONS;
  return named[records.get('CD') ?? ''];
}

function misfitIn(records: Records, rules: typeof MANDATORY): MessageProblem | undefined {
  for (const [tag, { form, rule }] of Object.entries(rules)) {
    const value = records.get(tag);
    if (value === undefined) return { problem: `request, record ${tag}: it is missing; ${rule}` };
    if (!form.test(value)) return { problem: `request, record ${tag}: ${rule}` };
  }
  return undefined;
}

/** A till names no transaction: the last payment of this amount is meant. No transaction has the number 0. */
function paymentOf({ journal }: TerminalMemory, amountMinor: number): number {
  const payment = journal.findLast(
    (made) =>
      made.amountMinor === amountMinor && made.kind !== 'reversal' && made.resultCode === 0 && !made.reversed,
  );
  return payment?.receiptNumber ?? 0;
}

/** The application (CC) that the till asks for and that the terminal does not have. */
function missingApplication(records: Records): MessageProblem | undefined {
  const application = records.get('CC');
  if (application === undefined || APPLICATIONS.includes(application)) return undefined;
  return { problem: 'request, record CC: the terminal does not have this application' };
}

type Outcome = (readonly [tag: string, value: string | undefined])[];

const notDone = (reason: Reason): Outcome => [
  ['AE', NOT_DONE],
  ['AF', reason],
];

const REASONS: Record<RefusedCommand | Ending, Reason> = {
  busy: REASON.notCompleted,
  badAmount: REASON.format,
  wrongCurrency: REASON.wrongCurrency,
  noTransaction: REASON.notCompleted,
  notReversible: REASON.notCompleted,
  alreadyReversed: REASON.notCompleted,
  reservationWrong: REASON.notCompleted,
  // No till can cancel in this language: a person at the terminal has stopped it.
  tillCancelled: REASON.stopped,
  cardholderCancelled: REASON.givenUp,
  timedOut: REASON.nobodyActed,
  cardUnreadable: REASON.notCompleted,
};

/** Codes of the bank that forbid the card rather than this payment (ISO 8583). */
const FORBIDDING = [57, 62];

function outcomeOf(report: TerminalReport, records: Records, parts: LanguageParts): Outcome {
  if (report.type === 'ended' || report.type === 'refused') return notDone(REASONS[report.reason]);
  if (report.type !== 'result')
    return [
      ['AE', DONE],
      ['CC', records.get('CC')],
    ];
  const { transaction } = report;
  if (transaction.resultCode !== 0)
    return notDone(FORBIDDING.includes(transaction.resultCode) ? REASON.forbidden : REASON.refused);
  return approved(transaction, records, parts);
}

const READ_MODES: Record<EntryMode, string> = { Contact: '1', Contactless: '2', Wallet: '2', Swipe: '3' };

function approved(transaction: Transaction, records: Records, { layout }: LanguageParts): Outcome {
  const { card, amountMinor, authorisationCode } = transaction;
  const wantsTicket = records.get('CK')?.startsWith('1') === true;
  return [
    ['CB', String(amountMinor).padStart(2, '0')],
    ['AE', DONE],
    ['CC', applicationOf(card)],
    ['CI', READ_MODES[card.entryMode ?? 'Contact']],
    ['AC', authorisationCode],
    ['AA', maskedNumber(card)],
    ['AI', card.aid],
    ['AB', `${card.expiryYear.slice(2)}${card.expiryMonth}`],
    ['CF', records.get('CF')],
    ['CG', CONTRACT],
    ['ZT', wantsTicket ? ticket(receiptLines(transaction, 'customer', layout())) : undefined],
  ];
}

function applicationOf({ scheme, entryMode }: MaskedCard): string {
  const isTapped = entryMode === 'Contactless' || entryMode === 'Wallet';
  if (scheme === 'Amex') return isTapped ? '00D' : '002';
  return isTapped ? '00B' : '001';
}

function maskedNumber({ scheme, bin, last4 }: MaskedCard): string {
  return `${bin}${'#'.repeat(scheme === 'Amex' ? 5 : 6)}${last4}`;
}

/** The customer's ticket in base64, in records of their own. */
function ticket(lines: readonly string[]): string {
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return recordsText([
    ['CK', '100'],
    ['AK', Buffer.from(text, 'latin1').toString('base64')],
  ]);
}

const ECHOED = ['CZ', 'CJ', 'CA', 'CB', 'CD', 'CE'];
const LONGEST_AMOUNT = 12;

/** The echoes of a request in its order, and what became of it. An amount that was paid takes the place of that asked. */
function answer(records: Records, outcome: Outcome, form: AnswerForm): string {
  const paid = outcome.find(([tag]) => tag === 'CB')?.[1];
  const amount = paid ?? records.get('CB')?.padStart(2, '0');
  const shown = form === 'padded' ? amount?.padStart(LONGEST_AMOUNT, '0') : amount;
  const changed: Record<string, string | undefined> = { CB: shown, ...(form === 'own' ? OWN : {}) };
  const echoes = [...records]
    .filter(([tag]) => ECHOED.includes(tag))
    .map(([tag, value]) => [tag, changed[tag] ?? value] as const);
  return recordsText([...echoes, ...outcome.filter(([tag]) => tag !== 'CB')]);
}
