import type { DataStore } from './data-store.ts';
import { generateCryptogram } from './generate-ac.ts';
import { runScripts } from './issuer-scripts.ts';
import { authenticateIssuer, storeIssuerAnswer } from './online-processing.ts';
import type { CardConnection } from './card-connection.ts';
import type { IssuerAnswer } from './issuer-answer.ts';

/** Whether the card agreed with the issuer's answer. */
export type Completion = { outcome: 'completed' } | { outcome: 'refused'; reason: string };

/**
 * Completes a transaction (EMV 4.4 Book 3 §10.9 to §10.11): sends the issuer's answer to the card, which may refuse
 * an approval in its second cryptogram. The second cryptogram is requested without CDA, because the issuer has
 * verified the first (Book 4 §6.3.2.1, CDA mode 2). Without an answer an AAC is requested: nothing is approved offline.
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
