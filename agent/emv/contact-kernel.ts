import type { Random } from '../../protocol/ids.ts';
import { buildCandidateList, selectApplication } from './application-selection.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { verifyCardholder, type HolderVerification } from './cardholder-verification.ts';
import { completeTransaction, type Completion, type IssuerAnswer } from './completion.ts';
import { createDataStore, type DataStore } from './data-store.ts';
import { generateCryptogram, type Cryptogram } from './generate-ac.ts';
import { authenticateData } from './offline-data-authentication.ts';
import { verifyOfflinePin, type OfflinePinParts } from './offline-pin.ts';
import {
  initiateProcessing,
  readApplicationData,
  requireData,
  type Initiation,
} from './read-application-data.ts';
import {
  analyseAction,
  applyProcessingRestrictions,
  manageTerminalRisk,
} from './terminal-action-analysis.ts';
import { terminalData, type Transaction } from './terminal.ts';

/** Functions that the kernel needs from its terminal. */
export interface KernelHost {
  random: Random;
  /** Called when the card has been read. Returns why it may not be used, or undefined. */
  refusalReason(store: DataStore): string | undefined;
  /** Resolves with the digits that the cardholder enters; rejects when the transaction is aborted. */
  requestPin(store: DataStore): Promise<string>;
  /** Called when the card rejects an offline PIN and has tries left. */
  pinRejected(triesLeft: number): void;
  /** Sends the cryptogram to the issuer. Resolves with its answer, or undefined when there is none. */
  goOnline(store: DataStore, holder: VerifiedHolder): Promise<IssuerAnswer | undefined>;
  /** Reports a card whose transaction continues without the issuer's answer to the card. */
  submitCard(store: DataStore): void;
}

export interface VerifiedHolder extends HolderVerification {
  /** The digits of an online PIN. Used only for the encrypted PIN block. */
  onlinePin?: string;
}

/**
 * Outcome of a contact transaction. `declined`: offline, without the issuer. `submitted`: continues without the card.
 * The others follow the issuer's answer.
 */
export type ContactOutcome = { outcome: 'declined'; reason: string } | { outcome: 'submitted' } | Completion;

/** Mandatory data objects (Book 3 §7.2, Table 28), except those that are checked where they are used. */
const MANDATORY = ['5A', '5F24', '8C', '8D'];

/**
 * Runs a contact transaction from application selection to completion, in the order of EMV 4.4 Book 3 §8.
 * @throws CardError, CardLostError, Fault `reader`; errors of the host.
 */
export async function runContactKernel(
  connection: CardConnection,
  transaction: Transaction,
  host: KernelHost,
): Promise<ContactOutcome> {
  const { store, initiation } = await initiateApplication(connection, terminalData(transaction, host.random));
  const signedRecords = await readApplicationData(connection, store);
  requireData(store, MANDATORY);
  const refusal = host.refusalReason(store);
  if (refusal) return { outcome: 'declined', reason: refusal };

  const { cardKey, method } = await authenticateData(connection, store, signedRecords);
  applyProcessingRestrictions(store);
  const pinParts: OfflinePinParts = {
    connection,
    store,
    random: host.random,
    signedRecords,
    requestPin: () => host.requestPin(store),
    pinRejected: (triesLeft) => host.pinRejected(triesLeft),
  };
  const verification = await verifyHolder(transaction, pinParts);
  const onlinePin = verification.method === 'onlinePin' ? await host.requestPin(store) : undefined;
  manageTerminalRisk(store);
  const analysis = analyseAction(store);
  const first = await generateCryptogram(connection, store, {
    kind: analysis.kind,
    list: '8C',
    ...(method === 'cda' && cardKey ? { combined: { cardKey, sent: [initiation.pdolValues] } } : {}),
  });
  if (analysis.kind === 'AAC') return { outcome: 'declined', reason: analysis.reason };
  // A refund needs only the card data. Many cards decline it, so an AAC is accepted.
  if (transaction.type === 'Refund' && first.kind === 'AAC') {
    host.submitCard(store);
    return { outcome: 'submitted' };
  }
  const refused = await outcomeOfFirstCryptogram(connection, store, first);
  if (refused) return refused;
  const answer = await host.goOnline(store, { ...verification, ...(onlinePin && { onlinePin }) });
  return completeTransaction(connection, store, answer);
}

/** Performs cardholder verification; a refund needs none. */
async function verifyHolder({ type }: Transaction, parts: OfflinePinParts): Promise<HolderVerification> {
  if (type === 'Refund') return { method: 'none', pinBlocked: false };
  return verifyCardholder({
    store: parts.store,
    offlinePin: (enciphered) => verifyOfflinePin(parts, enciphered),
  });
}

/** Selects the application of highest priority that the card initiates (Book 1 §12.4, Book 3 §10.1). */
async function initiateApplication(
  connection: CardConnection,
  known: DataStore,
): Promise<{ store: DataStore; initiation: Initiation }> {
  for (const { aid } of await buildCandidateList(connection)) {
    // The data of one application does not apply to the next.
    const store = createDataStore(known.entries());
    if (!(await selectApplication(connection, aid, store))) continue;
    const initiation = await initiateProcessing(connection, store);
    if (initiation) return { store, initiation };
  }
  throw new CardError('no_application', 'the card has no application that this terminal takes');
}

/**
 * Declines when the CDA signature is wrong (Book 2 §6.6.2) or the card did not return an ARQC; otherwise
 * undefined.
 */
async function outcomeOfFirstCryptogram(
  connection: CardConnection,
  store: DataStore,
  { kind, reason, signatureFailed }: Cryptogram,
): Promise<ContactOutcome | undefined> {
  if (signatureFailed) {
    store.put('8A', Buffer.from('Z1', 'latin1'));
    await generateCryptogram(connection, store, { kind: 'AAC', list: '8D' });
    return { outcome: 'declined', reason: 'the signature of the card is wrong' };
  }
  if (kind === 'ARQC') return undefined;
  return { outcome: 'declined', reason: reason || 'the card declined' };
}
