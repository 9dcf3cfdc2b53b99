import { messageOf } from '../../../protocol/failures.ts';
import type { DeviceApproval } from '../../../protocol/messages/card-data.schema.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest, DeviceReversal } from '../reader.ts';
import type { DeviceOutcome, TerminalSession, TillLanguage } from './language.ts';

/** What a terminal may still have when its action has ended. */
interface LateWork {
  request: CardRequest;
  settled: boolean;
}

interface LateParts extends Pick<DriverParts, 'log' | 'onReversal'> {
  language: TillLanguage;
}

const UNANSWERED =
  'the agent lost its power before the terminal answered: look it up in the journal of the terminal';
const REVERSING = 'it is being reversed';

/** Reverses an approval that no action waits for any more, and reports to the server what came of it. */
export async function settleLate(
  { log, onReversal, language }: LateParts,
  { request, settled }: LateWork,
  outcome: DeviceOutcome,
): Promise<void> {
  const { actionId, amountMinor, currency } = request;
  const reference = outcome.type === 'approved' ? outcome.approval.reference : undefined;
  const report = (result: Pick<DeviceReversal, 'outcome' | 'reason'>) =>
    onReversal?.({
      actionId,
      amountMinor,
      currency,
      ...(reference !== undefined && { reference }),
      ...result,
    });
  if (settled) return log.warn({ actionId, outcome: outcome.type }, 'a late outcome of a settled action');
  if (outcome.type === 'unknown') return report({ outcome: 'NotReversed', reason: outcome.reason });
  if (outcome.type !== 'approved') return log.info({ actionId, outcome: outcome.type }, 'a late outcome');
  // Stored before the reversal, which a power cut would forget.
  report({ outcome: 'NotReversed', reason: REVERSING });
  const left = await reverseOnce(language, request, outcome.approval).catch((error: unknown) => ({
    notReversed: messageOf(error),
  }));
  if (left) return report({ outcome: 'NotReversed', reason: left.notReversed });
  log.warn({ actionId }, 'a late approval was reversed');
  report({ outcome: 'Reversed' });
}

/** Connects and reverses an approval. Returns undefined once it is reversed, else the reason. */
export async function reverseOnce(
  language: TillLanguage,
  request: CardRequest,
  approval: DeviceApproval,
): Promise<{ notReversed: string } | undefined> {
  const session = await language.open();
  try {
    if (!session.reverse) return { notReversed: `${language.name} cannot reverse: do it at the terminal` };
    const notReversed = await session.reverse(request, approval);
    return notReversed === undefined ? undefined : { notReversed };
  } finally {
    await leaveSession(session);
  }
}

/** Closes a connection. That it fails says nothing about what was done on it. */
export async function leaveSession(session: TerminalSession): Promise<void> {
  await session.close().catch(() => undefined);
}

/**
 * Keeps what is reported should the power be cut before the terminal answers: no journal has an action that has ended. Returns
 * a function that drops it.
 */
export function holdUnanswered(
  { holdReversal }: Pick<DriverParts, 'holdReversal'>,
  { request: { actionId, amountMinor, currency } }: LateWork,
): (() => void) | undefined {
  return holdReversal?.({
    actionId,
    amountMinor,
    currency,
    outcome: 'NotReversed',
    reason: UNANSWERED,
  });
}
