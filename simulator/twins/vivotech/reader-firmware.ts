import type { IssuerAnswer } from '../../../agent/emv/completion.ts';
import { CardLostError } from '../../../agent/readers/card-slot.ts';
import { CVM_REQUIRED_LIMIT_MINOR, type Transaction } from '../../../agent/emv/terminal.ts';
import { toHex, fromHex } from '../../../protocol/emv/hex.ts';
import { findTlv, parseTlv, concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { TwinParts } from '../twin.ts';
import { connectionTo, type CardPresenter, type PresentedCard } from './card-presenter.ts';
import { createContactTransaction, type ContactStep, type ContactTransaction } from './contact.ts';
import { watchCardFlow, type CardFlow } from './failures.ts';
import { OUTPUT_LIST_TAG, RESULT, STATUS } from './frames.ts';
import {
  changedShape,
  createResultCipher,
  DEFAULT_SHAPE,
  type ResultShape,
  type ResultStyle,
} from './result-style.ts';
import * as results from './results.ts';
import type { Tracks } from './stripe-tracks.ts';
import { failed, runTap, type Answer } from './tap.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

/** Data objects that the reader keeps for every transaction: 04-00 and 60-06 set them, 03-02 reports them (8.2.8, 8.2.9). */
interface Configuration {
  /** Sets each object; false, and nothing set, when the bytes are not whole objects. */
  set(objects: Uint8Array): boolean;
  /** As it left the factory (04-09). */
  reset(): void;
  get(tag: string): Uint8Array | undefined;
  /** All objects, as TLV. */
  report(): Uint8Array;
}

/** As the reader leaves its factory: country, terminal capabilities and type. */
const FACTORY = { '9F1A': '0840', '9F33': '6028C8', '9F35': '21' };

function createConfiguration(): Configuration {
  const factory = () => Object.entries(FACTORY).map(([tag, value]) => [tag, fromHex(value)] as const);
  let objects = new Map(factory());
  return {
    set(bytes) {
      try {
        for (const { tag, value } of parseTlv(bytes)) objects.set(tag, Uint8Array.from(value));
        return true;
      } catch {
        return false;
      }
    },
    reset: () => void (objects = new Map(factory())),
    get: (tag) => objects.get(tag),
    report: () => concat(...[...objects].map(([tag, value]) => encodeTlv(tag, value))),
  };
}

interface FirmwareParts extends Omit<TwinParts, 'port'> {
  front: CardPresenter;
  requestPin(isOnline: boolean): Promise<string>;
  /** How the results are written at first. */
  shape?: Partial<ResultShape> | undefined;
}

/** Format of the result of an activation: that of 02-40, 02-01 or 60-10. */
export type ResultFormat = 'unified' | 'legacy' | 'contact';

/** A command to find a card. */
export interface FindCommand {
  seconds: number;
  /** Bits of DFEF37. */
  interfaces: number;
  objects: Uint8Array;
  style: ResultFormat;
}

/** Runs the transactions of commands 02-xx and 60-1x. */
export interface Firmware {
  readonly configuration: Configuration;
  find(command: FindCommand, signal: AbortSignal): Promise<Answer>;
  authenticate(objects: Uint8Array): Promise<Answer>;
  complete(objects: Uint8Array): Promise<Answer>;
  /** Whether a contact card awaits 60-11 or 60-12. */
  readonly hasContact: boolean;
  forget(): void;
  /** Writes results in another way. @throws Fault `bad_setting` for an unknown name. */
  changeShape(name: string | undefined): void;
}

const OK = STATUS.ok;
const NO_DATA = new Uint8Array(0);
const NOT_NOW: Answer = { status: STATUS.subCommandNotAllowed, data: NO_DATA };

/** A contact transaction between two commands of the host. */
interface Inserted extends ContactTransaction {
  flow: CardFlow;
  style: ResultStyle;
}

export function createFirmware(parts: FirmwareParts): Firmware {
  const { front } = parts;
  const configuration = createConfiguration();
  let shape: ResultShape = { ...DEFAULT_SHAPE, ...parts.shape };
  let sequence = 0;
  let contact: Inserted | undefined;

  const resultOf = ({ code, store }: ContactStep, style: ResultStyle, given: Uint8Array): Answer => {
    const list = objectIn(given, OUTPUT_LIST_TAG) ?? configuration.get(OUTPUT_LIST_TAG);
    const encode = code === RESULT.started ? results.startedObjects : results.authenticatedObjects;
    const objects = store ? encode(store, style, list && results.tagsOf(list)) : NO_DATA;
    return { status: OK, data: results.resultData('contact', { code, objects }, style) };
  };
  const insert = async (flow: CardFlow, transaction: Transaction, command: FindCommand): Promise<Answer> => {
    const { connection } = flow;
    const style = styleOf(shape, sequence, command.style);
    const inserted = { ...createContactTransaction({ ...parts, connection, transaction }), flow, style };
    const started = resultOf(await inserted.start(), style, command.objects);
    contact = inserted;
    return started;
  };
  const serve = (presented: PresentedCard, command: FindCommand): Promise<Answer> => {
    const style = styleOf(shape, sequence, command.style);
    if (presented.type === 'stripe') return Promise.resolve(swiped(presented.tracks, command.style, style));
    const { technology } = presented;
    const countryCode = toHex(configuration.get('9F1A')!);
    const transaction = transactionOf(parts, command.objects, { technology, sequence, countryCode });
    const flow = watchCardFlow(connectionTo(presented, parts));
    if (technology === 'Contact') {
      return orFailure({ flow, style, format: command.style }, () => insert(flow, transaction, command));
    }
    const { random } = parts;
    return runTap({ flow, transaction, random, style, isLegacy: command.style === 'legacy' });
  };
  /** Runs 60-11 or 60-12 on the card that was started. */
  const proceed = async (given: Uint8Array, run: (running: Inserted) => Promise<ContactStep>) => {
    const running = contact;
    if (!running) return NOT_NOW;
    const { flow, style } = running;
    const answer = await orFailure({ flow, style, format: 'contact' }, async () =>
      resultOf(await run(running), style, given),
    );
    if (answer.status !== OK) contact = undefined;
    return answer;
  };
  return {
    configuration,
    async find(command, signal) {
      sequence += 1;
      contact = undefined;
      const presented = await front.wait(command.interfaces, signal);
      return presented ? serve(presented, command) : timedOut(command.style, shape);
    },
    authenticate: (given) => proceed(given, (running) => running.authenticate()),
    complete: (given) =>
      proceed(given, (running) => {
        contact = undefined;
        return running.complete(answerIn(given));
      }),
    get hasContact() {
      return contact !== undefined;
    },
    forget: () => void (contact = undefined),
    changeShape: (name) => void (shape = changedShape(shape, name)),
  };
}

interface ContactParts {
  flow: CardFlow;
  style: ResultStyle;
  format: ResultFormat;
}

/** Runs a part of a contact transaction, and converts card errors to a failure response. */
async function orFailure({ flow, style, format }: ContactParts, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const isRemoved = error instanceof CardLostError && format === 'contact';
    if (isRemoved) return contactEnded(RESULT.cardRemoved, style.shape);
    return failed(results.failureData('contact', flow.failure(error), style));
  }
}

function styleOf(shape: ResultShape, sequence: number, format: ResultFormat): ResultStyle {
  return {
    // The failures of 02-01 have always been four bytes (8.5.3).
    shape: format === 'legacy' ? { ...shape, failure: 'bytes' } : shape,
    cipher: shape.encrypted ? createResultCipher(sequence) : undefined,
  };
}

function swiped(tracks: Tracks, format: ResultFormat, style: ResultStyle): Answer {
  const data =
    format === 'legacy' ? results.activatedLegacy(tracks, NO_DATA) : results.swipeData(tracks, style);
  return { status: OK, data };
}

/** The answer to a contact command that ends without a result. */
function contactEnded(code: number, shape: ResultShape): Answer {
  return { status: STATUS.timeout, data: results.codeOnly(code, shape) };
}

function timedOut(format: ResultFormat, shape: ResultShape): Answer {
  if (format === 'contact') return contactEnded(RESULT.timeout, shape);
  const isCoded = format === 'unified' && shape.attribution === 'long';
  return isCoded
    ? { status: OK, data: results.codeOnly(RESULT.noCardTaken, shape) }
    : { status: STATUS.timeout, data: NO_DATA };
}

/** Returns an object of a command, or undefined when there is none or the objects are malformed. */
function objectIn(objects: Uint8Array, tag: string): Uint8Array | undefined {
  try {
    return findTlv(objects, tag);
  } catch {
    return undefined;
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
  const code = Buffer.from(objectIn(objects, '8A') ?? NO_DATA).toString('latin1');
  if (code === '' || code === 'Z3') return undefined;
  return { outcome: code === '00' ? 'approved' : 'declined', chip: { emv: toHex(objects) } };
}
