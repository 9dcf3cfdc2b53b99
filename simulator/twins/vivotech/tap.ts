import { runEntryPoint } from '../../../agent/emv/entry-point.ts';
import type { DataStore } from '../../../agent/emv/data-store.ts';
import { terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import type { Random } from '../../../protocol/ids.ts';
import { isDeclinedByCard, type CardFlow } from './failures.ts';
import { STATUS } from './frames.ts';
import type { ResultStyle } from './result-style.ts';
import * as results from './results.ts';

/** Response to a command. */
export interface Answer {
  status: number;
  data: Uint8Array;
}

interface TapParts {
  flow: CardFlow;
  transaction: Transaction;
  random: Random;
  style: ResultStyle;
  /** Whether the command was 02-01. */
  isLegacy: boolean;
}

export function failed(data: Uint8Array): Answer {
  return { status: STATUS.failed, data };
}

/** Runs a contactless transaction up to the authorisation request, and returns its result or failure. */
export async function runTap(parts: TapParts): Promise<Answer> {
  try {
    return await tap(parts);
  } catch (error) {
    return failed(results.failureData('contactless', parts.flow.failure(error), parts.style));
  }
}

async function tap({ flow, transaction, random, style, isLegacy }: TapParts): Promise<Answer> {
  let read: DataStore | undefined;
  const known = terminalData(transaction, random);
  const refusalReason = (store: DataStore) => void (read = store);
  const outcome = await runEntryPoint(flow.connection, known, { transaction, refusalReason });
  const holder = outcome.outcome === 'online' ? outcome.holder : 'none';
  const store = outcome.outcome === 'online' ? outcome.store : read!;
  const made = results.tapObjects(store, holder, style);
  // For a refund the kernel continues with a card that declined; the reader reports the decision of the card.
  if (outcome.outcome === 'declined' || isDeclinedByCard(store)) {
    return failed(results.failureData('contactless', flow.decline(store, transaction), style, made));
  }
  const data = isLegacy
    ? results.activatedLegacy({ track1: '', track2: '' }, made)
    : results.resultData('contactless', { objects: made }, style);
  return { status: STATUS.requestOnlineAuthorization, data };
}
