import { fromHex } from '../../../protocol/emv/hex.ts';
import { encodeTlv, parseTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { TVR } from '../../emv/bits.ts';
import { throwAsCardError } from '../../emv/card-connection.ts';
import type { HolderVerification } from '../../emv/cardholder-verification.ts';
import type { IssuerAnswer } from '../../emv/completion.ts';
import { createDataStore, panFrom, type DataStore } from '../../emv/data-store.ts';
import { NOT_A_TEST_CARD } from '../card-policy.ts';
import { CardLostError } from '../card-slot.ts';
import { chipRequestFrom, lookupInTrack2, maskedCardFrom } from '../chip-request.ts';
import type { DriverParts } from '../driver.ts';
import { TransactionAborted, type KernelSession } from '../kernel-session.ts';
import type { CardRequest, ReaderEvent } from '../reader.ts';
import {
  AUTHENTICATE_LIMIT_MS,
  HOST_REQUEST_PIN,
  NO_CARD_RESULTS,
  PIN_MODE,
  RESULT,
  STATUS,
  TAG,
} from './constants.ts';
import { configuration, contactAuthenticate, transactionObjects } from './commands.ts';
import type { Objects, VivotechFrame } from './frame.ts';
import type { VivotechLink } from './link.ts';
import { declineText, parseActivation, parseContactResult, type Activation } from './transaction-result.ts';

interface CardProcessParts extends DriverParts {
  link: VivotechLink;
  request: CardRequest;
  session: KernelSession;
  emit(event: ReaderEvent): void;
}

const APPROVED_OFFLINE = 'the reader approved offline, which is not taken here';

/** Processes a card that was found. @throws CardLostError, CardError, TransactionAborted, Fault. */
export async function processCard(
  parts: CardProcessParts,
  found: Exclude<Activation, { type: 'noCard' }>,
): Promise<void> {
  switch (found.type) {
    case 'failed':
      throw new Fault('reader', found.reason);
    case 'declined':
      // A refund needs only the card data. Many cards decline a refund after they have sent it.
      if (parts.request.type === 'Refund' && found.objects.has('9F27')) {
        return processTap(parts, found.objects, false);
      }
      return parts.emit({ type: 'card.declined', reason: found.reason });
    case 'unreadable':
      return parts.emit({ type: 'card.unreadable', reason: found.reason });
    case 'stripe':
      return processStripe(parts, found.track2);
    case 'tap':
      return processTap(parts, found.objects, found.asksIssuer);
    case 'contact':
      return processContact(parts, found.objects);
  }
}

function processStripe({ emit, cards, protection }: CardProcessParts, track2: string): void {
  emit({ type: 'card.presented', entryMode: 'Swipe' });
  const lookup = throwAsCardError(() => lookupInTrack2(track2));
  const card = throwAsCardError(() => maskedCardFrom(lookup, 'Swipe'));
  if (!cards(panFrom(lookup))) return emit({ type: 'card.declined', reason: NOT_A_TEST_CARD });
  const request = chipRequestFrom(lookup, protection.transaction());
  emit({ type: 'card.read', card, pin: 'none', chip: { request, awaitsAnswer: false } });
}

/** The objects that were sent to the reader, which its result may leave out. */
function knownObjects({ request, countryCode }: CardProcessParts): [tag: string, value: Uint8Array][] {
  const sent = [...parseTlv(transactionObjects(request)), ...parseTlv(configuration(countryCode))];
  return sent.map(({ tag, value }) => [tag, value]);
}

async function processTap(parts: CardProcessParts, objects: Objects, asksIssuer: boolean): Promise<void> {
  const { emit, session, request } = parts;
  emit({ type: 'card.presented', entryMode: 'Contactless' });
  const store = createDataStore([...knownObjects(parts), ...objects]);
  const refusal = session.refusalReason(store);
  if (refusal) return emit({ type: 'card.declined', reason: refusal });
  const kind = cryptogramKind(store, asksIssuer);
  if (kind === 'TC') return emit({ type: 'card.declined', reason: APPROVED_OFFLINE });
  if (kind === 'AAC' && request.type === 'Payment') {
    return emit({ type: 'card.declined', reason: 'the card declined' });
  }
  const holder = request.type === 'Refund' ? 'none' : tapHolder(store);
  await session.completeTap(store, holder, holder === 'onDevice');
}

/** EMV 4.4 Book 3 §6.5.5.4, table 14: the high bits of the cryptogram information. */
function cryptogramKind(store: DataStore, asksIssuer: boolean): 'ARQC' | 'TC' | 'AAC' {
  const information = store.get('9F27')?.[0] ?? (asksIssuer ? 0x80 : 0x40);
  if (information & 0x80) return 'ARQC';
  return information & 0x40 ? 'TC' : 'AAC';
}

const TAP_CVMS: Record<number, HolderVerification['method']> = {
  0: 'none',
  1: 'signature',
  2: 'onlinePin',
  3: 'onDevice',
};

function tapHolder(store: DataStore): HolderVerification['method'] {
  const told = store.get(TAG.transactionCvm)?.[0];
  return (told === undefined ? undefined : TAP_CVMS[told]) ?? cvmPerformed(store);
}

/** CVM results, tag 9F34 (EMV 4.4 Book 4 Annex A4; codes of Book 3 Annex C3). */
function cvmPerformed(store: DataStore): HolderVerification['method'] {
  const [method = 0x3f, , result = 0] = store.get('9F34') ?? [];
  const code = method & 0x3f;
  if (code === 0x02) return 'onlinePin';
  if (code === 0x1e) return 'signature';
  if (code === 0x3f || code === 0x1f) return 'none';
  return result === 0x02 ? 'offlinePin' : 'failed';
}

async function processContact(parts: CardProcessParts, objects: Objects): Promise<void> {
  const { emit, session, link } = parts;
  emit({ type: 'card.presented', entryMode: 'Contact' });
  const store = createDataStore([...knownObjects(parts), ...objects]);
  const refusal = session.refusalReason(store);
  if (refusal) {
    await link.exchange('cancel');
    return emit({ type: 'card.declined', reason: refusal });
  }
  const typed: TypedPin = {};
  const frame = await link.runCommand('contactAuthenticate', contactAuthenticate(), {
    limitMs: AUTHENTICATE_LIMIT_MS,
    signal: session.signal,
    onHostRequest: createPinHandler(session, store, typed),
  });
  if (typed.cancelled) throw new TransactionAborted();
  if (!frame) {
    await link.exchange('cancel').catch(() => {});
    if (session.signal.aborted) throw new TransactionAborted();
    throw new CardLostError('the reader did not finish with the card');
  }
  const { result, reason } = resultOf(frame, store);
  if (result === RESULT.goOnline) return goOnline(parts, store, typed.pin);
  if (result === RESULT.declinedOffline && parts.request.type === 'Refund') return session.submitCard(store);
  emit({ type: 'card.declined', reason: reason ?? reasonOf(result) });
}

interface TypedPin {
  /** An online PIN. */
  pin?: string;
  cancelled?: boolean;
}

/** Creates the handler of a PIN request to the host (61-02): mode, then values with lengths of two bytes, low byte first. */
function createPinHandler(session: KernelSession, store: DataStore, typed: TypedPin) {
  let asked = false;
  return async (subCommand: number, data: Uint8Array): Promise<Uint8Array> => {
    if (subCommand !== HOST_REQUEST_PIN) return new Uint8Array(0);
    // A second request means a wrong PIN. The reader does not report the remaining tries; there is at least one.
    if (asked) session.pinRejected(1);
    asked = true;
    const isOnline = data[0] !== PIN_MODE.offline;
    try {
      const pin = await session.requestPin(store);
      // An online PIN goes to the issuer and not to the reader.
      if (isOnline) typed.pin = pin;
      const digits = isOnline ? [] : [...Buffer.from(pin, 'latin1')];
      const mode = isOnline ? PIN_MODE.online : PIN_MODE.offline;
      return Uint8Array.of(mode, 0, 0, digits.length, 0, ...digits);
    } catch (error) {
      if (!(error instanceof TransactionAborted)) throw error;
      typed.cancelled = true;
      return Uint8Array.of(PIN_MODE.cancelled);
    }
  };
}

/** Returns the result code of a contact command, and the reason of a failure; the reader's objects go to the store. */
function resultOf(frame: VivotechFrame, store: DataStore): { result: number | undefined; reason?: string } {
  if (frame.code !== STATUS.ok) {
    const failure = parseActivation(frame);
    if (failure.type === 'declined') return { result: RESULT.declinedOffline, reason: failure.reason };
    throw new CardLostError('reason' in failure ? failure.reason : 'the reader gave up');
  }
  const { result, objects } = parseContactResult(frame.data);
  for (const [tag, value] of objects) if (value.length > 0) store.put(tag, value);
  if (result === RESULT.cancelled) throw new TransactionAborted();
  if (result === undefined || result === RESULT.useStripe || NO_CARD_RESULTS.includes(result))
    throw new CardLostError('the chip could not be read');
  // The card may refuse to go online, which its cryptogram says (EMV 4.4 Book 3 §6.5.5.4).
  if (result === RESULT.goOnline && store.get('9F27') && cryptogramKind(store, true) === 'AAC')
    return { result: RESULT.declinedOffline };
  return { result };
}

function reasonOf(result: number | undefined): string {
  const isApproval = result === RESULT.approvedOffline || result === RESULT.approved;
  return isApproval ? APPROVED_OFFLINE : declineText(result);
}

async function goOnline(
  { emit, session, link }: CardProcessParts,
  store: DataStore,
  onlinePin?: string,
): Promise<void> {
  const method = cvmPerformed(store);
  const pinBlocked = store.has(TVR.pinTryLimitExceeded);
  const answer = await session.goOnline(store, { method, pinBlocked, ...(onlinePin && { onlinePin }) });
  const frame = await link.runCommand('contactComplete', answerObjects(answer), {
    limitMs: AUTHENTICATE_LIMIT_MS,
    // The card is completed even if the action has ended.
    signal: new AbortController().signal,
  });
  if (!frame) return emit({ type: 'card.refused', reason: 'the reader did not say whether the card agreed' });
  const result = frame.code === STATUS.ok ? parseContactResult(frame.data).result : RESULT.declined;
  const agreed = (result === RESULT.approved) === (answer?.outcome === 'approved');
  if (agreed) emit({ type: 'card.completed' });
  else emit({ type: 'card.refused', reason: 'the card refused what its issuer had approved' });
}

/** Returns the data of 60-12 for the card: 8A, 91, scripts; Z3 when the issuer was not reached (EMV 4.4 Book 4 Annex A6). */
function answerObjects(answer: IssuerAnswer | undefined): Uint8Array {
  if (answer?.chip) return fromHex(answer.chip.emv);
  const code = answer ? { approved: '00', declined: '05' }[answer.outcome] : 'Z3';
  return encodeTlv('8A', Buffer.from(code, 'latin1'));
}
