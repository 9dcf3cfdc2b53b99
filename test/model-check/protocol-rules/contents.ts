import {
  ActionAbandoned,
  ActionCompleted,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
  type Receipt,
} from '../../../protocol/messages/action.messages.ts';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { NOW_MS } from '../fixtures.ts';
import { isUnreadable, hasPowerReturned } from './next-state.ts';
import { sentIn } from './reports.ts';
import type { StoredContext, TerminalMove } from './terminal-move.ts';

/** Whether the reports of a step say what has happened at the terminal. */
export function reportsAreTrue(move: TerminalMove): boolean {
  return sentIn(move).every(({ name, body }) => {
    const sent = JSON.parse(body) as Record<string, unknown>;
    const { after } = move;
    switch (name) {
      case AuthoriseAction.name:
        return isRequestTrue(move, sent);
      case ActionAbandoned.name:
        return (
          after!.code !== null && sent['code'] === after!.code && (sent['reason'] ?? null) === after!.reason
        );
      case ActionUnsettled.name:
        return isUnsettledTrue(move, sent);
      case ActionCompleted.name:
        return isSame(sent['failedCopies'], after!.failedCopies) && isReceiptTrue(after!, sent['receipt']);
      case ReceiptReady.name:
        return isReceiptTrue(after!, sent['receipt']);
      default:
        return true;
    }
  });
}

/** Whether a terminal says that the outcome is unknown, and why, exactly where it is. */
function isUnsettledTrue({ from, to, after }: TerminalMove, sent: Record<string, unknown>): boolean {
  if (sent['outcome'] === 'Pending')
    return (from === 'atDevice' || to === 'atDevice') && sent['reason'] === undefined;
  return to === 'outcomeUnknown' && sent['reason'] === after!.reason;
}

/** Whether a request for authorisation has the card that was read, how its holder was verified and the chip data. */
function isRequestTrue(move: TerminalMove, sent: Record<string, unknown>): boolean {
  const { before, after, from } = move;
  const { card, verification, chip, device } = from === 'authorising' ? before! : readIn(move);
  const request = (chip as { request?: unknown } | null)?.request;
  return (
    isSame(sent['card'], card) &&
    sent['verification'] === verification &&
    isSame(sent['chip'], request) &&
    isSame(sent['device'], device ?? undefined) &&
    isSame(after!.card, card)
  );
}

type Read = Pick<StoredContext, 'card' | 'verification' | 'chip' | 'device'>;

/** Returns what an event of the reader has read, with what was read before. */
function readIn({ event, detail, before }: TerminalMove): Read {
  const { card, chip, device } = before!;
  const told = detail as { card?: MaskedCard; chip?: unknown; approval?: unknown; method?: string };
  switch (event) {
    case 'card.read':
      return {
        card: told.card!,
        chip: told.chip ?? null,
        device,
        verification: withoutPin(detail, told.card!),
      };
    case 'device.approved':
      return { card: told.card!, chip, device: told.approval, verification: 'OnDevice' };
    case 'pin.accepted': {
      // A contact card checks the PIN itself; for a tapped card only the issuer can (EMV 4.4 Book 3 §10.5).
      const usual = card?.entryMode === 'Contact' ? 'OfflinePin' : 'OnlinePin';
      return { card, chip: told.chip ?? chip, device, verification: told.method ?? usual };
    }
    default:
      return { card, chip: told.chip ?? chip, device, verification: 'PinFailed' };
  }
}

function withoutPin({ pin }: Record<string, unknown>, { entryMode }: MaskedCard): string {
  if (pin === 'onDevice') return 'OnDevice';
  return pin === 'signature' || entryMode === 'Swipe' ? 'Signature' : 'None';
}

function isReceiptTrue(
  { verification, approvedAtMs, deviceReceipt, authorisationCode }: StoredContext,
  receipt: unknown,
): boolean {
  const { fields, merchantCopy, customerCopy } = receipt as Receipt;
  const own = deviceReceipt as { merchantCopy: string; customerCopy: string } | null;
  return (
    fields['ApprovalCode'] === authorisationCode &&
    fields['CardholderVerification'] === verification &&
    fields['TransactionTimeStamp'] === new Date(approvedAtMs ?? 0).toISOString().replace(/\.\d+Z$/, 'Z') &&
    (!own || (own.merchantCopy === merchantCopy && own.customerCopy === customerCopy))
  );
}

/** Whether a terminal keeps of an event what it needs later, and forgets what it must not keep. */
export function keepsWhatMatters(move: TerminalMove): boolean {
  const { event, detail, before, after, to, from } = move;
  if (!after || !before) return true;
  if (!isOpenRight(move)) return false;
  if (event === 'approve' && from === 'authorising')
    return (
      after.authorisationCode === detail['authorisationCode'] && after.approvedAtMs === NOW_MS && !after.chip
    );
  if (event === 'device.approved' && from !== to)
    return isSame(after.device, detail['approval']) && isSame(after.deviceReceipt, detail['receipt'] ?? null);
  if (event === 'card.read' && from !== to)
    return (
      isSame(after.card, detail['card']) &&
      (to === 'authorising' || isSame(after.chip, detail['chip'] ?? null))
    );
  if (event === 'device.reversed' && to !== from) return after.device === null;
  if (to === 'outcomeUnknown') return isReasonKept(move);
  const isRefused = event === 'end' && detail['status'] !== 'Succeeded';
  if (isRefused || (event === 'decline' && from === 'authorising'))
    return from!.startsWith('reversingAtDevice') || (after.code ?? undefined) === detail['code'];
  if (isUnreadable(move) && to === 'awaitingCard')
    return after.unreadableCards === before.unreadableCards + 1 && isForgotten(after);
  return !(hasPowerReturned(move) && to === 'awaitingCard') || isForgotten(after);
}

/** A request is open at a payment terminal from the time that it is sent until there is an outcome. */
function isOpenRight({ event, from, to, before, after }: TerminalMove): boolean {
  if (event === 'start') return !after!.openAtDevice;
  const hasOutcome = to === 'authorising' || /^(abandoning|reversing)$/.test(to!);
  if (from === to) return after!.openAtDevice === before!.openAtDevice;
  return after!.openAtDevice === (to === 'atDevice' || (before!.openAtDevice && !hasOutcome));
}

/** Why an outcome is not known: as the reader has said it, or by what has happened. */
function isReasonKept({ event, detail, from, before, after }: TerminalMove): boolean {
  if (event === 'device.unknown') return after!.reason === detail['reason'];
  if (from === 'outcomeUnknown') return after!.reason === before!.reason;
  return (
    /restarted|not answered in time/.exec(after!.reason!)?.[0] ===
    (event === 'deadline' ? 'not answered in time' : 'restarted')
  );
}

function isForgotten({ card, chip, pinTriesLeft, cardMissing }: StoredContext): boolean {
  return card === null && chip === null && pinTriesLeft === null && !cardMissing;
}

/** Whether a terminal notes the copies that were not printed, and no others. */
export function countsCopies({ event, detail, from, to, before, after }: TerminalMove): boolean {
  if (!before || !after || event === 'start') return true;
  const copy = /^approved\.printing\.(.*)$/.exec(from!)?.[1];
  const timedOut = copy && event === 'deadline' ? [copy] : [];
  const notPrinted = copy && event === 'copy.failed' && detail['copy'] === copy ? [copy] : [];
  const isWaiting = event === 'confirm' && from !== to && from!.endsWith('Receipt');
  const refused = isWaiting && detail['status'] === 'Failed' ? [String(detail['copy'])] : [];
  return isSame(after.failedCopies, [...before.failedCopies, ...timedOut, ...notPrinted, ...refused]);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
