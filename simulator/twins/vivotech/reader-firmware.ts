import { CardError } from '../../../agent/emv/card-error.ts';
import { runEntryPoint } from '../../../agent/emv/entry-point.ts';
import type { DataStore } from '../../../agent/emv/data-store.ts';
import { CVM_REQUIRED_LIMIT_MINOR, terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import type { CardTechnology } from '../../../agent/readers/card-slot.ts';
import type { IssuerAnswer } from '../../../agent/readers/reader.ts';
import { CARD_COMMUNICATION_ERROR, STATUS, TAG } from '../../../agent/readers/vivotech/constants.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { findTlv, parseTlv } from '../../../protocol/emv/tlv.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { TwinParts } from '../twin.ts';
import { connectionTo, type CardFront, type Presented } from './card-front.ts';
import { createContactTransaction, type ContactTransaction } from './contact.ts';
import * as results from './results.ts';

const CARD_NOT_SUPPORTED = 0x27;

/** What is answered to a command. */
export interface Answer {
  status: number;
  data: Uint8Array;
}

export interface FirmwareParts extends Omit<TwinParts, 'port'> {
  front: CardFront;
  askPin(isOnline: boolean): Promise<string>;
}

/** How the result of looking for a card is written down: as 02-40, 02-01 or 60-10 has it. */
export type Style = 'unified' | 'legacy' | 'contact';

/** The transactions of the reader: what its commands 02-xx and 60-1x do. */
export interface Firmware {
  configure(objects: Uint8Array): void;
  find(
    command: { seconds: number; interfaces: number; objects: Uint8Array; style: Style },
    signal: AbortSignal,
  ): Promise<Answer>;
  authenticate(): Promise<Answer>;
  complete(objects: Uint8Array): Promise<Answer>;
  forget(): void;
}

const OK = STATUS.ok;
const NO_DATA = new Uint8Array(0);
const NOT_NOW: Answer = { status: STATUS.notAllowed, data: NO_DATA };

export function createFirmware(parts: FirmwareParts): Firmware {
  const { front } = parts;
  let countryCode = '0840';
  let sequence = 0;
  let contact: ContactTransaction | undefined;

  const serve = async (presented: Presented, objects: Uint8Array, style: Style): Promise<Answer> => {
    if (presented.type === 'stripe') return stripeAnswer(presented.track2, style);
    const transaction = transactionOf(parts, objects, {
      technology: presented.technology,
      sequence,
      countryCode,
    });
    const connection = connectionTo(presented, parts);
    if (presented.technology === 'Contact') {
      contact = createContactTransaction({ ...parts, connection, transaction });
      const started = await contact.start();
      const data =
        style === 'contact' ? results.contactResult(0x0010, started) : results.activated('contact', started);
      return { status: OK, data };
    }
    let read: DataStore | undefined;
    const known = terminalData(transaction, parts.random);
    const refuses = (store: DataStore) => void (read = store);
    const tap = await runEntryPoint(connection, known, { transaction, refuses });
    const store = tap.outcome === 'online' ? tap.store : read;
    // A card that declined says so by its cryptogram, if it came as far as that.
    if (!store || tap.outcome === 'declined') store?.put('9F27', Uint8Array.of(0));
    const made = store ? results.tapObjects(store, tap.outcome === 'online' ? tap.holder : 'none') : NO_DATA;
    const data =
      style === 'legacy' ? results.activatedLegacy('', made) : results.activated('contactless', made);
    return { status: tap.outcome === 'online' ? STATUS.onlineAuthorisation : OK, data };
  };
  return {
    configure(objects) {
      const country = findTlv(objects, '9F1A');
      if (country) countryCode = toHex(country);
    },
    async find({ interfaces, objects, style }, signal) {
      sequence += 1;
      const presented = await front.wait(interfaces, signal);
      if (!presented) return { status: STATUS.timeout, data: NO_DATA };
      return orFailure(() => serve(presented, objects, style));
    },
    async authenticate() {
      const running = contact;
      if (!running) return NOT_NOW;
      return orFailure(async () => ({ status: OK, data: await running.authenticate() }));
    },
    async complete(objects) {
      const running = contact;
      contact = undefined;
      if (!running) return NOT_NOW;
      return orFailure(async () => ({ status: OK, data: await running.complete(answerIn(objects)) }));
    },
    forget: () => void (contact = undefined),
  };
}

function stripeAnswer(track2: string, style: Style): Answer {
  const text = Buffer.from(track2, 'latin1');
  const object = Buffer.concat([Buffer.from(TAG.track2, 'hex'), Buffer.from([text.length]), text]);
  const data =
    style === 'legacy' ? results.activatedLegacy(track2, NO_DATA) : results.activated('stripe', object);
  return { status: OK, data };
}

/** A card that cannot be read, or went, is an answer too. */
async function orFailure(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof CardError ? CARD_NOT_SUPPORTED : CARD_COMMUNICATION_ERROR;
    return { status: STATUS.failed, data: results.activated('contact', results.errorObject(code)) };
  }
}

function transactionOf(
  { clock }: FirmwareParts,
  objects: Uint8Array,
  known: { technology: CardTechnology; sequence: number; countryCode: string },
): Transaction {
  const values = new Map(parseTlv(objects).map(({ tag, value }) => [tag, toHex(value)]));
  const number = values.get('5F2A');
  const currency = Object.entries(CURRENCY_NUMBERS).find(([, code]) => code === number)?.[0] ?? 'EUR';
  return {
    type: values.get('9C') === '20' ? 'Refund' : 'Payment',
    amountMinor: Number(values.get('9F02') ?? '0'),
    currency,
    atMs: clock.nowMs(),
    cvmRequiredLimitMinor: CVM_REQUIRED_LIMIT_MINOR,
    ...known,
  };
}

/** The issuer's answer by its response code (8A): 00 is yes; Z3 is none (EMV 4.4 Book 4 Annex A6). */
function answerIn(objects: Uint8Array): IssuerAnswer | undefined {
  const code = Buffer.from(findTlv(objects, '8A') ?? NO_DATA).toString('latin1');
  if (code === '' || code === 'Z3') return undefined;
  return { outcome: code === '00' ? 'approved' : 'declined', chip: { emv: toHex(objects) } };
}
