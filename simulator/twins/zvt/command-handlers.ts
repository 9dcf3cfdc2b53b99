import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { CHARACTER_SETS } from './charset.ts';
import {
  ENQUIRY_UNVERSIONED,
  ENQUIRY_WITH_CONTAINER,
  REPEAT_UNPRINTED,
  REPEAT_WITH_STATUS,
  RESULT,
} from './codes.ts';
import { packedNumber, type Fields } from './fields.ts';
import { printCopies, spokenIn, tellResult, TERMINAL_ID, type Job, type Work } from './job.ts';
import type { Registration } from './registration.ts';
import { isTaken, reversalOf, sell, type SaleRequest } from './sale.ts';
import * as telling from './outgoing-messages.ts';

const EURO = '0978';

/** 06 01, 06 22, 06 31. */
export function sale(kind: SaleRequest['kind']): Work {
  return async (parts, job) => {
    const amountMinor = packedNumber(job.fields.get(0x04));
    const currency = currencyIn(job.fields);
    if (!amountMinor) return telling.aborted(RESULT.protocolError);
    if (!isTaken(currency)) return telling.aborted(RESULT.wrongCurrency);
    job.setAbortable(true);
    const tellsProgress = job.registration?.tellsProgress ?? false;
    const committed = () => job.setAbortable(false);
    const made = await sell(
      { ...parts, till: job.till, tellsProgress, committed },
      { kind, amountMinor, currency },
    );
    return typeof made === 'number' ? telling.aborted(made) : tellResult(parts, job, made);
  };
}

function currencyIn(fields: Fields): string {
  const value = fields.get(0x49);
  return value ? toHex(value) : EURO;
}

/** 06 30. */
export const reverse: Work = async (parts, job) => {
  const number = packedNumber(job.fields.get(0x87));
  const original = parts.memory.journal.find(
    ({ receiptNumber, kind }) => receiptNumber === number && kind !== 'reversal',
  );
  if (!original || original.resultCode !== RESULT.approved)
    return telling.aborted(RESULT.reversalNotPossible);
  if (original.reversed) return telling.aborted(RESULT.alreadyReversed);
  return tellResult(parts, job, reversalOf(original, parts.memory, parts.clock.nowMs()));
};

/** 06 20. Without a service byte it prints, and sends no status information (§2.20). */
export const repeat: Work = async (parts, job) => {
  const { last } = parts.memory;
  if (!last) return telling.aborted(RESULT.functionNotPossible);
  const service = serviceByte(job);
  if (service & REPEAT_WITH_STATUS)
    await job.till.tell(telling.statusInformation(last, TERMINAL_ID, spokenIn(job)));
  if (!(service & REPEAT_UNPRINTED)) await printCopies(parts, job, last);
  return telling.completion();
};

/** 05 01. Without a service byte it sends its software version, and no TLV container (§2.55). */
export const enquire: Work = async ({ clock }, job) => {
  const service = serviceByte(job);
  return telling.statusCompletion({
    withVersion: !(service & ENQUIRY_UNVERSIONED),
    withContainer: (service & ENQUIRY_WITH_CONTAINER) !== 0,
    terminalId: TERMINAL_ID,
    atMs: clock.nowMs(),
  });
};

const serviceByte = ({ fields }: Job): number => fields.get(0x03)?.[0] ?? 0;

/** 06 00. */
export const register: Work = async (_, { registration }) =>
  telling.registrationCompletion(TERMINAL_ID, registration && agreedOn(registration));

/** The character set in use (14) and those that there are (27), for a cash register that takes containers. */
function agreedOn({ hasContainer, characterSet }: Registration): Uint8Array | undefined {
  if (!hasContainer) return undefined;
  const setObject = (number: number) => encodeTlv('14', Uint8Array.of(number));
  const known = Object.keys(CHARACTER_SETS).map((number) => setObject(Number(number)));
  return concat(setObject(characterSet), encodeTlv('27', concat(...known)));
}
