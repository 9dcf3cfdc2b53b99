import { fromHex } from '../../../protocol/emv/hex.ts';
import { encodeTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { TVR } from '../../emv/bits.ts';
import { CardError } from '../../emv/card-error.ts';
import type { HolderVerification } from '../../emv/cardholder-verification.ts';
import { createDataStore, type DataStore } from '../../emv/data-store.ts';
import { NOT_A_TEST_CARD } from '../card-policy.ts';
import { CardLostError } from '../card-slot.ts';
import { chipRequestFrom, lookupInTrack2, maskedCardFrom } from '../chip-request.ts';
import type { DriverParts } from '../driver.ts';
import { TransactionAborted, type KernelSession } from '../kernel-session.ts';
import type { CardRequest, ReaderEvent } from '../reader.ts';
import { AUTHENTICATE_LIMIT_MS, PIN_MODE, RESULT, STATUS, TAG, TO_HOST_PIN } from './constants.ts';
import type { VivotechLink } from './link.ts';
import { readActivation, readContact, type Activation, type Objects } from './transaction-result.ts';
import type { IssuerAnswer } from '../../emv/issuer-answer.ts';
import { panFrom } from '../../emv/card-number.ts';

interface ServiceParts extends DriverParts {
  link: VivotechLink;
  request: CardRequest;
  session: KernelSession;
  tell(fact: ReaderEvent): void;
}

const APPROVED_OFFLINE = 'the reader approved offline, which is not taken here';

/** A card that was found, up to its end. @throws whatever ends the transaction but its own outcome. */
export async function processCard(
  parts: ServiceParts,
  found: Exclude<Activation, { type: 'nobody' }>,
): Promise<void> {
  switch (found.type) {
    case 'failed':
      throw new Fault('reader', found.reason);
    case 'declined':
      // For money that goes back a card is not needed: many decline it, and have said who they are.
      if (parts.request.type === 'Refund' && found.objects.has('9F27')) {
        return serveTap(parts, found.objects, false);
      }
      return parts.tell({ type: 'card.declined', reason: found.reason });
    case 'unreadable':
      return parts.tell({ type: 'card.unreadable', reason: found.reason });
    case 'stripe':
      return serveStripe(parts, found.track2);
    case 'tap':
      return serveTap(parts, found.objects, found.asksIssuer);
    case 'contact':
      return serveContact(parts, found.objects);
  }
}

function serveStripe({ tell, cards, protection }: ServiceParts, track2: string): void {
  tell({ type: 'card.presented', entryMode: 'Swipe' });
  const lookup = orCardError(() => lookupInTrack2(track2));
  const card = orCardError(() => maskedCardFrom(lookup, 'Swipe'));
  if (!cards(panFrom(lookup))) return tell({ type: 'card.declined', reason: NOT_A_TEST_CARD });
  const request = chipRequestFrom(lookup, protection.transaction());
  tell({ type: 'card.read', card, pin: 'none', chip: { request, awaitsAnswer: false } });
}

async function serveTap(parts: ServiceParts, objects: Objects, asksIssuer: boolean): Promise<void> {
  const { tell, session, request } = parts;
  tell({ type: 'card.presented', entryMode: 'Contactless' });
  const store = createDataStore(objects);
  const refusal = session.refusalReason(store);
  if (refusal) return tell({ type: 'card.declined', reason: refusal });
  const kind = cryptogramKind(store, asksIssuer);
  if (kind === 'TC') return tell({ type: 'card.declined', reason: APPROVED_OFFLINE });
  if (kind === 'AAC' && request.type === 'Payment') {
    return tell({ type: 'card.declined', reason: 'the card declined' });
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

async function serveContact(parts: ServiceParts, objects: Objects): Promise<void> {
  const { tell, session, link } = parts;
  tell({ type: 'card.presented', entryMode: 'Contact' });
  const store = createDataStore(objects);
  const refusal = session.refusalReason(store);
  if (refusal) {
    await link.ask('cancel');
    return tell({ type: 'card.declined', reason: refusal });
  }
  const typed: TypedPin = {};
  const frame = await link.work('contactAuthenticate', new Uint8Array(0), {
    limitMs: AUTHENTICATE_LIMIT_MS,
    signal: session.signal,
    turnsToHost: pinAsking(session, store, typed),
  });
  if (typed.cancelled) throw new TransactionAborted();
  if (!frame) {
    await link.ask('cancel').catch(() => {});
    if (session.signal.aborted) throw new TransactionAborted();
    throw new CardLostError('the reader did not finish with the card');
  }
  const { result, reason } = resultOf(frame.code, frame.data, store);
  if (result === RESULT.goOnline) return goOnline(parts, store, typed.pin);
  if (result === RESULT.declinedOffline && parts.request.type === 'Refund') return session.submitCard(store);
  tell({ type: 'card.declined', reason: reason ?? reasonOf(result) });
}

interface TypedPin {
  /** An online PIN. */
  pin?: string;
  cancelled?: boolean;
}

/** The reader asks the host for a PIN (61-02): mode, lengths of two bytes the lower first, and what they are of. */
function pinAsking(session: KernelSession, store: DataStore, typed: TypedPin) {
  let asked = false;
  return async (subCommand: number, data: Uint8Array): Promise<Uint8Array> => {
    if (subCommand !== TO_HOST_PIN) return new Uint8Array(0);
    // It asks again after a wrong one, and does not say how many more it allows: one more at least.
    if (asked) session.pinWrong(1);
    asked = true;
    const isOnline = data[0] !== PIN_MODE.offline;
    try {
      const pin = await session.askPin(store);
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
function resultOf(code: number, data: Uint8Array, store: DataStore): { result: number; reason?: string } {
  if (code !== STATUS.ok) {
    const failure = readActivation({ command: 0, code, data }, 'activateAll');
    if (failure.type === 'declined') return { result: RESULT.declinedOffline, reason: failure.reason };
    throw new CardLostError('reason' in failure ? failure.reason : 'the reader gave up');
  }
  const { result, objects } = readContact(data);
  for (const [tag, value] of objects) store.put(tag, value);
  if (result === RESULT.cancelled) throw new TransactionAborted();
  if (result === RESULT.timeout || result === RESULT.useStripe)
    throw new CardLostError('the chip could not be read');
  return { result };
}

function reasonOf(result: number): string {
  if (result === RESULT.approvedOffline) return APPROVED_OFFLINE;
  return result === RESULT.notAccepted ? 'the reader does not accept the card' : 'the card declined';
}

async function goOnline(
  { tell, session, link }: ServiceParts,
  store: DataStore,
  onlinePin?: string,
): Promise<void> {
  const method = cvmPerformed(store);
  const pinBlocked = store.has(TVR.pinTryLimitExceeded);
  const answer = await session.goOnline(store, { method, pinBlocked, ...(onlinePin && { onlinePin }) });
  const frame = await link.work('contactComplete', answerObjects(answer), {
    limitMs: AUTHENTICATE_LIMIT_MS,
    // Whatever becomes of the action, the card is finished with.
    signal: new AbortController().signal,
  });
  if (!frame) return tell({ type: 'card.refused', reason: 'the reader did not say whether the card agreed' });
  const result = frame.code === STATUS.ok ? readContact(frame.data).result : RESULT.declined;
  const agreed = (result === RESULT.approved) === (answer?.outcome === 'approved');
  if (agreed) tell({ type: 'card.completed' });
  else tell({ type: 'card.refused', reason: 'the card refused what its issuer had approved' });
}

/** What 60-12 gives to the card: 8A, 91, scripts; Z3 when the issuer was not reached (EMV 4.4 Book 4 Annex A6). */
function answerObjects(answer: IssuerAnswer | undefined): Uint8Array {
  if (answer?.chip) return fromHex(answer.chip.emv);
  const code = answer ? { approved: '00', declined: '05' }[answer.outcome] : 'Z3';
  return encodeTlv('8A', Buffer.from(code, 'latin1'));
}

function orCardError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CardError('not_supported', error instanceof Error ? error.message : 'the card cannot be used');
  }
}
