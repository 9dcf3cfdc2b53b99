import type { DataStore } from './data-store.ts';
import { generateCryptogram } from './generate-ac.ts';
import { runScripts } from './issuer-scripts.ts';
import { authenticateIssuer, storeIssuerAnswer } from './online-processing.ts';
import type { CardConnection } from './card-connection.ts';
import type { IssuerAnswer } from './issuer-answer.ts';

/** How the card took the issuer's answer. */
export type Completion = { outcome: 'completed' } | { outcome: 'refused'; reason: string };

/**
 * Completion (EMV 4.4 Book 3 §10.9 to §10.11): the issuer's answer goes to the card, which has the last word on
 * an approval in its second cryptogram. The issuer has seen the first cryptogram, so no signature is asked for
 * with the second (Book 4 §6.3.2.1, CDA mode 2). Without an answer the card is told that there was none: nothing
 * is approved offline.
 */
export async function completeTransaction(
  connection: CardConnection,
  store: DataStore,
  answer: IssuerAnswer | undefined,
): Promise<Completion> {
  const { scriptsBefore, scriptsAfter } = storeIssuerAnswer(store, answer);
  await authenticateIssuer(connection, store);
  await runScripts(connection, store, { template: '71', values: scriptsBefore });
  const wanted = answer?.outcome === 'approved' ? 'TC' : 'AAC';
  const { kind, reason } = await generateCryptogram(connection, store, { kind: wanted, list: '8D' });
  await runScripts(connection, store, { template: '72', values: scriptsAfter });
  if (kind === wanted) return { outcome: 'completed' };
  return { outcome: 'refused', reason: reason || 'the card refused what its issuer had approved' };
}
