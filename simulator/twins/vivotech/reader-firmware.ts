import { runEntryPoint } from '../../../agent/emv/entry-point.ts';
import type { DataStore } from '../../../agent/emv/data-store.ts';
import { CVM_REQUIRED_LIMIT_MINOR, terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, findTlv, parseTlv } from '../../../protocol/emv/tlv.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { TwinParts } from '../twin.ts';
import { connectionTo, type CardPresenter, type PresentedCard } from './card-presenter.ts';
import { createConfiguration, type Configuration } from './configuration.ts';
import { createContactTransaction, type ContactTransaction } from './contact.ts';
import { isDeclinedByCard, watchCardFlow, type CardFlow } from './failures.ts';
import { CONTACT_RESULT, STATUS } from './protocol.ts';
import * as results from './results.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';
import type { IssuerAnswer } from '../../../agent/emv/issuer-answer.ts';

/** Response to a command. */
export interface Answer {
  status: number;
  data: Uint8Array;
}

interface FirmwareParts extends Omit<TwinParts, 'port'> {
  front: CardPresenter;
  requestPin(isOnline: boolean): Promise<string>;
}

/** Format of the result of an activation: that of 02-40, 02-01 or 60-10. */
export type ResultFormat = 'unified' | 'legacy' | 'contact';

/** Runs the transactions of commands 02-xx and 60-1x. */
export interface Firmware {
  readonly configuration: Configuration;
  find(
    command: { seconds: number; interfaces: number; objects: Uint8Array; style: ResultFormat },
    signal: AbortSignal,
  ): Promise<Answer>;
  authenticate(): Promise<Answer>;
  complete(objects: Uint8Array): Promise<Answer>;
  forget(): void;
}

const OK = STATUS.ok;
const NO_DATA = new Uint8Array(0);
const NOT_NOW: Answer = { status: STATUS.commandNotAllowed, data: NO_DATA };
const failed = (...data: Uint8Array[]): Answer => ({ status: STATUS.failed, data: concat(...data) });

/** A contact transaction between two commands of the host. */
interface Inserted extends ContactTransaction {
  flow: CardFlow;
}

export function createFirmware(parts: FirmwareParts): Firmware {
  const { front } = parts;
  const configuration = createConfiguration();
  let sequence = 0;
  let contact: Inserted | undefined;

  const insert = async (flow: CardFlow, transaction: Transaction, style: ResultFormat): Promise<Answer> => {
    const { connection } = flow;
    contact = { ...createContactTransaction({ ...parts, connection, transaction }), flow };
    const started = await contact.start();
    if (style === 'contact') {
      return { status: OK, data: results.contactResult(CONTACT_RESULT.started, started) };
    }
    return { status: OK, data: results.activated('contact', started) };
  };
  const tap = async (flow: CardFlow, transaction: Transaction, style: ResultFormat): Promise<Answer> => {
    let read: DataStore | undefined;
    const known = terminalData(transaction, parts.random);
    const refusalReason = (store: DataStore) => void (read = store);
    const outcome = await runEntryPoint(flow.connection, known, { transaction, refusalReason });
    const holder = outcome.outcome === 'online' ? outcome.holder : 'none';
    const store = outcome.outcome === 'online' ? outcome.store : read!;
    const made = results.tapObjects(store, holder);
    // For a refund the kernel continues with a card that declined; the reader reports the decision of the card.
    if (outcome.outcome === 'declined' || isDeclinedByCard(store)) {
      return failed(flow.decline(store, transaction), made);
    }
    const data =
      style === 'legacy' ? results.activatedLegacy('', made) : results.activated('contactless', made);
    return { status: STATUS.requestOnlineAuthorization, data };
  };
  const serve = (presented: PresentedCard, objects: Uint8Array, style: ResultFormat): Promise<Answer> => {
    if (presented.type === 'stripe') return Promise.resolve(stripeAnswer(presented.track2, style));
    const { technology } = presented;
    const countryCode = toHex(configuration.get('9F1A')!);
    const transaction = transactionOf(parts, objects, { technology, sequence, countryCode });
    const flow = watchCardFlow(connectionTo(presented, parts));
    const run = technology === 'Contact' ? insert : tap;
    return orFailure(flow, () => run(flow, transaction, style));
  };
  return {
    configuration,
    async find({ interfaces, objects, style }, signal) {
      sequence += 1;
      const presented = await front.wait(interfaces, signal);
      if (!presented) return { status: STATUS.timeout, data: NO_DATA };
      return serve(presented, objects, style);
    },
    async authenticate() {
      const running = contact;
      if (!running) return NOT_NOW;
      return orFailure(running.flow, async () => ({ status: OK, data: await running.authenticate() }));
    },
    async complete(objects) {
      const running = contact;
      contact = undefined;
      if (!running) return NOT_NOW;
      return orFailure(running.flow, async () => ({
        status: OK,
        data: await running.complete(answerIn(objects)),
      }));
    },
    forget: () => void (contact = undefined),
  };
}

function stripeAnswer(track2: string, style: ResultFormat): Answer {
  const data =
    style === 'legacy'
      ? results.activatedLegacy(track2, NO_DATA)
      : results.activated('stripe', results.stripeObjects(track2));
  return { status: OK, data };
}

/** Runs a part of a transaction, and converts card errors to a failure response. */
async function orFailure(flow: CardFlow, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    return failed(flow.failure(error));
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

/** Returns the issuer's answer by its response code (8A): 00 is approved, Z3 unable to go online (EMV 4.4 Book 4 Annex A6). */
function answerIn(objects: Uint8Array): IssuerAnswer | undefined {
  const code = Buffer.from(findTlv(objects, '8A') ?? NO_DATA).toString('latin1');
  if (code === '' || code === 'Z3') return undefined;
  return { outcome: code === '00' ? 'approved' : 'declined', chip: { emv: toHex(objects) } };
}
