import { isKeyOf } from '../../../protocol/tables.ts';
import { amountWords, currencyOfDigits } from '../till/outcomes.ts';
import { REASONS, type CaisseAnswer } from './answer.ts';
import { createRecordParser } from './record.ts';
import { ACTIONS } from './request.ts';

const ACTION_WORDS: Record<string, string> = {
  [ACTIONS.debit]: 'payment',
  [ACTIONS.credit]: 'refund',
  [ACTIONS.cancel]: 'cancel of a payment',
  [ACTIONS.identify]: 'who are you?',
};

const STATUSES: Record<string, string> = {
  '10': 'done',
  '01': 'not done',
  '11': 'request taken, no result follows',
};

/** What each record is, where its value is not shown: that of some is of the card. */
const TITLES: Record<string, string> = {
  AA: 'number of the card',
  AB: 'expiry of the card',
  AC: 'number of the authorisation',
  AI: 'application of the card',
  BA: 'when to answer',
  CA: 'number of the till',
  CC: 'type of the card',
  CG: 'number of the merchant',
  CH: 'number of the transaction',
  CI: 'how the card was read',
  CJ: 'identifier',
  CZ: 'version of the protocol',
  ZT: 'texts of the terminal',
};

/** Says in plain words what records are: nothing of the card. */
export function describeFrame(bytes: Uint8Array): string | undefined {
  const frames = createRecordParser().push(bytes);
  if (frames.length === 0) return undefined;
  if (frames.some(({ type }) => type === 'broken')) return 'bytes that are no record';
  const records = new Map(frames.map((frame) => (frame.type === 'record' ? pairOf(frame.record) : ['', ''])));
  return records.size === 1 ? [...records].map(([tag]) => describeRecord(tag, records))[0] : summary(records);
}

const pairOf = ({ tag, value }: { tag: string; value: string }): [string, string] => [tag, value];

/** A request, or an answer whose records came together. */
function summary(records: CaisseAnswer): string {
  const shown = ['CD', 'CB', 'AE', 'AF'].filter((tag) => records.has(tag));
  return shown.map((tag) => describeRecord(tag, records)).join(', ') || `${records.size} records`;
}

function describeRecord(tag: string, records: CaisseAnswer): string {
  const value = records.get(tag) ?? '';
  switch (tag) {
    case 'CB':
      if (!/^[0-9]{1,12}$/.test(value)) return 'an amount that is no number';
      return amountWords(Number(value), currencyOfDigits(records.get('CE') ?? ''));
    case 'CD':
      return isKeyOf(ACTION_WORDS, value) ? ACTION_WORDS[value]! : 'an action that is not known';
    case 'CE':
      return `currency ${currencyOfDigits(value) ?? 'that is not known'}`;
    case 'AE':
      return isKeyOf(STATUSES, value) ? STATUSES[value]! : 'a result that is not known';
    case 'AF':
      return `reason: ${REASONS[value.slice(0, 2)]?.text ?? 'not known'}`;
    default:
      return TITLES[tag] ?? `record ${tag}`;
  }
}
