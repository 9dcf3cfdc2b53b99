import { fromHex } from '../../protocol/emv/hex.ts';
import type { CardConnection } from './card-connection.ts';
import { putCvmResults, verifyCardholder, type HolderVerification } from './cardholder-verification.ts';
import { CVM } from './cvm-list.ts';
import type { DataStore } from './data-store.ts';
import { generateCryptogram } from './generate-ac.ts';
import { authenticateData } from './offline-data-authentication.ts';
import { initiateProcessing, readApplicationData, requireData } from './read-application-data.ts';
import {
  analyseAction,
  applyProcessingRestrictions,
  manageTerminalRisk,
} from './terminal-action-analysis.ts';
import { isOverCvmLimit, type Transaction } from './terminal.ts';

/** Input of a contactless kernel: the card with its selected application, and the terminal and card data. */
export interface TapParts {
  connection: CardConnection;
  store: DataStore;
  transaction: Transaction;
  /** Called when the card has been read. Returns why it may not be used, or undefined. */
  refusalReason(store: DataStore): string | undefined;
}

/** Outcome of a tap. The card can be removed: the rest of the transaction does not need it. */
export type TapOutcome =
  | {
      outcome: 'online';
      store: DataStore;
      holder: HolderVerification['method'];
      /** A consumer device such as a phone or watch, with a CVM of its own (CDCVM). */
      isPhone: boolean;
    }
  | { outcome: 'declined'; reason: string };

/** A contactless kernel. Returns undefined when the next application is to be selected (Select Next). */
export type ContactlessKernel = (parts: TapParts) => Promise<TapOutcome | undefined>;

/** Rules of a network's kernel for EMV mode. */
interface EmvModeRules {
  /** Returns whether the card is a consumer device that performs CDCVM. */
  isPhone(store: DataStore): boolean;
}

const MANDATORY = ['5A', '5F24', '8C'];

/** Terminal capabilities (9F33) for a tap: online PIN and signature over the CVM limit, no CVM under it; CDA. */
const CAPABILITIES = { overLimit: fromHex('206008'), underLimit: fromHex('200808') } as const;

/**
 * Runs a contactless transaction in EMV mode (EMV Contactless Book C-2 §3, C-4 §3): the steps of a contact
 * transaction up to the first cryptogram, after which the card can be removed.
 */
export async function runEmvMode(parts: TapParts, rules: EmvModeRules): Promise<TapOutcome | undefined> {
  const { connection, store, transaction, refusalReason } = parts;
  store.put('9F33', isOverCvmLimit(transaction) ? CAPABILITIES.overLimit : CAPABILITIES.underLimit);
  const initiation = await initiateProcessing(connection, store);
  if (!initiation) return undefined;
  const signedRecords = await readApplicationData(connection, store);
  requireData(store, MANDATORY);
  const refusal = refusalReason(store);
  if (refusal) return { outcome: 'declined', reason: refusal };

  const { cardKey, method } = await authenticateData(connection, store, signedRecords);
  applyProcessingRestrictions(store);
  const isPhone = rules.isPhone(store);
  const holder = await selectCvm(store, transaction, isPhone);
  manageTerminalRisk(store);
  const analysis = analyseAction(store);
  const first = await generateCryptogram(connection, store, {
    kind: analysis.kind,
    list: '8C',
    ...(method === 'cda' && cardKey ? { combined: { cardKey, sent: [initiation.pdolValues] } } : {}),
  });
  if (analysis.kind === 'AAC') return { outcome: 'declined', reason: analysis.reason };
  if (first.signatureFailed) return { outcome: 'declined', reason: 'the signature of the card is wrong' };
  if (first.kind !== 'ARQC' && transaction.type !== 'Refund')
    return { outcome: 'declined', reason: first.reason || 'the card declined' };
  return { outcome: 'online', store, holder, isPhone };
}

/** Selects the CVM (Book C-2, CVM selection): CDCVM of a phone over the limit, else by the card's CVM list. */
async function selectCvm(
  store: DataStore,
  transaction: Transaction,
  isPhone: boolean,
): Promise<HolderVerification['method']> {
  if (transaction.type === 'Refund') return 'none';
  if (isPhone) {
    const isOver = isOverCvmLimit(transaction);
    putCvmResults(store, { code: isOver ? CVM.plaintextPin : 0x3f, condition: 0x00 }, 'succeeded');
    return isOver ? 'onDevice' : 'none';
  }
  const { method } = await verifyCardholder({ store, offlinePin: () => Promise.resolve('notPerformed') });
  return method;
}
