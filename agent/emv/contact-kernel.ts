import type { Random } from '../../protocol/ids.ts';
import { buildCandidateList, selectApplication } from './application-selection.ts';
import { CardError } from './card-error.ts';
import { verifyCardholder, type HolderVerification } from './cardholder-verification.ts';
import { completeTransaction, type Completion } from './completion.ts';
import { createDataStore, type DataStore } from './data-store.ts';
import { generateCryptogram, type Cryptogram } from './generate-ac.ts';
import { initiateProcessing, type Initiation } from './initiate-processing.ts';
import { authenticateData } from './offline-data-authentication.ts';
import { verifyOfflinePin, type OfflinePinParts } from './offline-pin.ts';
import { applyProcessingRestrictions } from './processing-restrictions.ts';
import { readApplicationData, requireData } from './read-application-data.ts';
import { analyseAction } from './terminal-action-analysis.ts';
import { manageTerminalRisk } from './terminal-risk-management.ts';
import { terminalData, type Transaction } from './terminal.ts';
import type { CardConnection } from './card-connection.ts';
import type { IssuerAnswer } from './issuer-answer.ts';

/** Whom a kernel turns to for what neither it nor the card can know. */
export interface KernelHost {
  random: Random;
  /** The card has been read. Why it may not be used, if so. */
  refusalReason(store: DataStore): string | undefined;
  /** Resolves with the digits that the holder types; rejects when the transaction is given up. */
  requestPin(store: DataStore): Promise<string>;
  pinRejected(triesLeft: number): void;
  /** The card has made its cryptogram: resolves with the issuer's answer, or undefined when none will come. */
  goOnline(store: DataStore, holder: VerifiedHolder): Promise<IssuerAnswer | undefined>;
  /** The card has made its cryptogram, and needs no answer. */
  submitCard(store: DataStore): void;
}

export interface VerifiedHolder extends HolderVerification {
  /** The digits of an online PIN: they go into an encrypted block and nowhere else. */
  onlinePin?: string;
}

/**
 * `declined`: before the issuer was asked. `submitted`: the rest is done without the card. The others come
 * after the issuer's answer.
 */
export type ContactOutcome = { outcome: 'declined'; reason: string } | { outcome: 'submitted' } | Completion;

/** Book 3 §7.2, Table 28, but for what is read only when it is used. */
const MANDATORY = ['5A', '5F24', '8C', '8D'];

/**
 * A contact transaction from application selection to completion, in the order of EMV 4.4 Book 3 §8.
 * @throws CardError, CardLostError, Fault `reader`; whatever the host rejects with.
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
  // For money that goes back a card is not needed: many decline it, and have said who they are.
  if (transaction.type === 'Refund' && first.kind === 'AAC') {
    host.submitCard(store);
    return { outcome: 'submitted' };
  }
  const refused = await outcomeOfFirstCryptogram(connection, store, first);
  if (refused) return refused;
  const answer = await host.goOnline(store, { ...verification, ...(onlinePin && { onlinePin }) });
  return completeTransaction(connection, store, answer);
}

/** Money that goes back to a card asks nobody for anything. */
async function verifyHolder({ type }: Transaction, parts: OfflinePinParts): Promise<HolderVerification> {
  if (type === 'Refund') return { method: 'none', pinBlocked: false };
  return verifyCardholder({
    store: parts.store,
    offlinePin: (enciphered) => verifyOfflinePin(parts, enciphered),
  });
}

/** The most wanted application that lets itself be begun (Book 1 §12.4, Book 3 §10.1). */
async function initiateApplication(
  connection: CardConnection,
  known: DataStore,
): Promise<{ store: DataStore; initiation: Initiation }> {
  for (const { aid } of await buildCandidateList(connection)) {
    // What one application said is nothing to the next.
    const store = createDataStore(known.entries());
    if (!(await selectApplication(connection, aid, store))) continue;
    const initiation = await initiateProcessing(connection, store);
    if (initiation) return { store, initiation };
  }
  throw new CardError('no_application', 'the card has no application that this terminal takes');
}

/** A card that does not want the issuer to be asked, or whose signature is wrong (Book 2 §6.6.2), is done with. */
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
