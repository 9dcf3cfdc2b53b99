import { CURRENCY_NUMBERS, formatMinor } from '../../../protocol/money.ts';
import { counts, sumMinor, type Language, type Transaction, type TransactionKind } from './journal.ts';

/** Reports about the terminal itself. */
export type Report = 'diagnosis' | 'initialisation' | 'selfTest' | 'configuration';

interface Words {
  kinds: Record<TransactionKind, string>;
  merchantCopy: string;
  customerCopy: string;
  terminal: string;
  receipt: string;
  trace: string;
  card: string;
  validUntil: string;
  authorisation: string;
  approved: string;
  declined: string;
  endOfDay: string;
  reports: Record<Report, string>;
  count: string;
  sum: string;
  keep: string;
}

/** The words of receipts, by language. */
export const WORDS: Record<Language, Words> = {
  de: {
    kinds: {
      payment: 'Kartenzahlung',
      refund: 'Gutschrift',
      reservation: 'Reservierung',
      reversal: 'Storno',
    },
    merchantCopy: 'H Ä N D L E R B E L E G',
    customerCopy: 'K U N D E N B E L E G',
    terminal: 'Terminal-ID',
    receipt: 'Beleg-Nr.',
    trace: 'Trace-Nr.',
    card: 'Karte',
    validUntil: 'gültig bis',
    authorisation: 'Genehmigungs-Nr.',
    approved: 'Zahlung erfolgt',
    declined: 'Vorgang abgelehnt',
    endOfDay: 'KASSENSCHNITT',
    reports: {
      diagnosis: 'DIAGNOSE',
      initialisation: 'INITIALISIERUNG',
      selfTest: 'SELBSTTEST',
      configuration: 'SYSTEMKONFIGURATION',
    },
    count: 'Anzahl',
    sum: 'Summe',
    keep: 'Bitte Beleg aufbewahren',
  },
  en: {
    kinds: { payment: 'Card payment', refund: 'Refund', reservation: 'Reservation', reversal: 'Reversal' },
    merchantCopy: 'MERCHANT COPY',
    customerCopy: 'CUSTOMER COPY',
    terminal: 'Terminal id',
    receipt: 'Receipt no.',
    trace: 'Trace no.',
    card: 'Card',
    validUntil: 'valid until',
    authorisation: 'Authorisation',
    approved: 'Payment approved',
    declined: 'Declined',
    endOfDay: 'END OF DAY',
    reports: {
      diagnosis: 'DIAGNOSIS',
      initialisation: 'INITIALISATION',
      selfTest: 'SELF TEST',
      configuration: 'SYSTEM CONFIGURATION',
    },
    count: 'Count',
    sum: 'Total',
    keep: 'Please keep this receipt',
  },
  fr: {
    kinds: { payment: 'Débit', refund: 'Crédit', reservation: 'Préautorisation', reversal: 'Annulation' },
    merchantCopy: 'TICKET COMMERÇANT',
    customerCopy: 'TICKET CLIENT',
    terminal: 'Terminal',
    receipt: 'Ticket no',
    trace: 'Opération no',
    card: 'Carte',
    validUntil: "jusqu'à",
    authorisation: 'Autorisation',
    approved: 'Paiement accepté',
    declined: 'Paiement refusé',
    endOfDay: 'FIN DE JOURNÉE',
    reports: {
      diagnosis: 'DIAGNOSTIC',
      initialisation: 'INITIALISATION',
      selfTest: 'AUTOTEST',
      configuration: 'CONFIGURATION',
    },
    count: 'Nombre',
    sum: 'Total',
    keep: 'Ticket à conserver',
  },
  it: {
    kinds: { payment: 'Acquisto', refund: 'Rimborso', reservation: 'Preautorizzazione', reversal: 'Storno' },
    merchantCopy: 'COPIA ESERCENTE',
    customerCopy: 'COPIA CLIENTE',
    terminal: 'Terminale',
    receipt: 'Scontrino',
    trace: 'STAN',
    card: 'Carta',
    validUntil: 'scadenza',
    authorisation: 'Autorizzazione',
    approved: 'Transazione eseguita',
    declined: 'Transazione negata',
    endOfDay: 'CHIUSURA',
    reports: {
      diagnosis: 'DIAGNOSI',
      initialisation: 'INIZIALIZZAZIONE',
      selfTest: 'AUTOTEST',
      configuration: 'CONFIGURAZIONE',
    },
    count: 'Numero',
    sum: 'Totale',
    keep: 'Conservare lo scontrino',
  },
};

export interface Layout {
  language: Language;
  columns: number;
  terminalId: string;
  /** Names the code of a decline, as the language of the till writes it. */
  declineText(code: number): string;
}

type Copy = 'merchant' | 'customer';

/** Returns the lines of one copy of a receipt. */
export function receiptLines(transaction: Transaction, copy: Copy, layout: Layout): string[] {
  const { card, currency, amountMinor } = transaction;
  const words = WORDS[layout.language];
  const pair = (label: string, value: string) => paired(label, value, layout.columns);
  const centre = (text: string) => centred(text, layout.columns);
  const approved = transaction.resultCode === 0;
  return [
    centre('TAPBENCH'),
    centre(copy === 'merchant' ? words.merchantCopy : words.customerCopy),
    '',
    ...timeLine(transaction.atMs, pair),
    pair(words.terminal, layout.terminalId),
    pair(words.trace, digits(transaction.traceNumber, 6)),
    pair(words.receipt, digits(transaction.receiptNumber, 4)),
    '',
    centre(words.kinds[transaction.kind]),
    centre(card.applicationLabel ?? card.scheme),
    pair(words.card, `############${card.last4}`),
    pair(words.validUntil, `${card.expiryMonth}/${card.expiryYear.slice(2)}`),
    pair(words.authorisation, transaction.authorisationCode),
    '',
    pair(currencyCode(currency), money(amountMinor, currency)),
    '',
    centre(approved ? words.approved : words.declined),
    ...(approved ? [] : [centre(layout.declineText(transaction.resultCode))]),
    ...(copy === 'customer' ? [centre(words.keep)] : []),
  ];
}

/** Returns the lines of an end-of-day report, with sums by currency. */
export function endOfDayLines(journal: readonly Transaction[], atMs: number, layout: Layout): string[] {
  const words = WORDS[layout.language];
  const pair = (label: string, value: string) => paired(label, value, layout.columns);
  const currencies = [...new Set(journal.map(({ currency }) => currency))];
  return [
    centred('TAPBENCH', layout.columns),
    centred(words.endOfDay, layout.columns),
    '',
    ...timeLine(atMs, pair),
    pair(words.terminal, layout.terminalId),
    pair(words.count, String(journal.filter(counts).length)),
    ...currencies.map((currency) =>
      pair(`${words.sum} ${currencyCode(currency)}`, sumLine(journal, currency)),
    ),
  ];
}

/** Returns the lines of a report: title, time, terminal id and OK. */
export function reportLines(report: Report, atMs: number, layout: Layout): string[] {
  const words = WORDS[layout.language];
  const pair = (label: string, value: string) => paired(label, value, layout.columns);
  return [
    centred('TAPBENCH', layout.columns),
    centred(words.reports[report], layout.columns),
    '',
    ...timeLine(atMs, pair),
    pair(words.terminal, layout.terminalId),
    centred('OK', layout.columns),
  ];
}

function sumLine(journal: readonly Transaction[], currency: string): string {
  return money(sumMinor(journal, currency), currency);
}

function currencyCode(number: string): string {
  return Object.entries(CURRENCY_NUMBERS).find(([, known]) => known === number)?.[0] ?? number;
}

function money(amountMinor: number, currency: string): string {
  return formatMinor(amountMinor, currencyCode(currency)).split(' ')[0]!;
}

function timeLine(atMs: number, pair: (label: string, value: string) => string): string[] {
  const [date = '', time = ''] = new Date(atMs).toISOString().split('T');
  return [pair(date, time.slice(0, 8))];
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}

function paired(label: string, value: string, columns: number): string {
  const room = columns - label.length - 1;
  return value.length <= room ? `${label} ${value.padStart(room)}` : `${label} ${value}`.slice(0, columns);
}

function centred(text: string, columns: number): string {
  const short = text.slice(0, columns);
  return ' '.repeat(Math.floor((columns - short.length) / 2)) + short;
}
