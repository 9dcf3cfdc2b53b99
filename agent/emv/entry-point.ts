import { toHex } from '../../protocol/emv/hex.ts';
import {
  candidateFromEntry,
  byPriority,
  selectApplication,
  type Candidate,
} from './application-selection.ts';
import { OK, statusWordError, select, send } from './apdu.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { createDataStore, unwrapTemplate, parseFromCard, type DataStore } from './data-store.ts';
import { runAmexKernel } from './kernel-amex.ts';
import { runMastercardKernel } from './kernel-mastercard.ts';
import { runVisaKernel } from './kernel-visa.ts';
import type { TapParts, TapOutcome, ContactlessKernel } from './contactless-kernel.ts';

/** Kernels by the RID of their cards (EMV Contactless Book A §5.8.2). */
const KERNELS: Readonly<Record<string, { id: number; run: ContactlessKernel }>> = {
  A000000003: { id: 3, run: runVisaKernel },
  A000000004: { id: 2, run: runMastercardKernel },
  A000000025: { id: 4, run: runAmexKernel },
};

/** Name of the list of payment applications of a contactless card (EMV Contactless Book B §3.3.2). */
export const PPSE = Buffer.from('2PAY.SYS.DDF01', 'latin1');

/**
 * Entry Point (EMV Contactless Book B §3): selects the combination of application and kernel with the highest
 * priority and activates the kernel.
 * @throws CardError, CardLostError, Fault `reader`.
 */
export async function runEntryPoint(
  connection: CardConnection,
  known: DataStore,
  parts: Pick<TapParts, 'transaction' | 'refusalReason'>,
): Promise<TapOutcome> {
  for (const { aid } of await findCombinations(connection)) {
    // The data of one application does not apply to the next.
    const store = createDataStore(known.entries());
    if (!(await selectApplication(connection, aid, store))) continue;
    const kernel = KERNELS[toHex(aid.subarray(0, 5))]!;
    const outcome = await kernel.run({ connection, store, ...parts });
    if (outcome) return outcome;
  }
  throw new CardError('no_application', 'the card has no application that this terminal takes');
}

/** Returns the entries of the PPSE that have a kernel, highest priority first (§3.3.2). */
async function findCombinations(connection: CardConnection): Promise<Candidate[]> {
  const command = select(PPSE);
  const answer = await send(connection, command);
  if (answer.status !== OK) {
    const { message } = statusWordError(command, answer.status);
    throw new CardError('status_words', `${message}: a transit, access or loyalty card is no payment card`);
  }
  const proprietary = templateOf(unwrapTemplate(answer.data, '6F'), 'A5');
  const entries = parseFromCard(templateOf(proprietary, 'BF0C')).filter(({ tag }) => tag === '61');
  return byPriority(
    entries.filter(({ value }) => hasKernel(value)).flatMap(({ value }) => candidateFromEntry(value) ?? []),
  );
}

function templateOf(template: Uint8Array, tag: string): Uint8Array {
  const found = parseFromCard(template).find((object) => object.tag === tag);
  if (!found) throw new CardError('missing_data', `the card's list of applications has no ${tag}`);
  return found.value;
}

/**
 * Returns whether the kernel identifier (9F2A) is that of the RID's kernel; 0 or absent selects the default
 * (§3.3.2.5).
 */
function hasKernel(entry: Uint8Array): boolean {
  const objects = parseFromCard(entry);
  const valueOf = (tag: string) => objects.find((object) => object.tag === tag)?.value;
  const kernel = KERNELS[toHex(valueOf('4F')?.subarray(0, 5) ?? new Uint8Array(0))];
  const wanted = valueOf('9F2A')?.[0] ?? 0;
  return kernel !== undefined && (wanted === 0 || wanted === kernel.id);
}
