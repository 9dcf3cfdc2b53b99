import type { BodyOf } from '../../protocol/message.ts';
import type {
  ChipResponse,
  ConfirmReceipt,
  CopyName as CopyNameSchema,
  DeviceApproval,
  EndAction,
  MaskedCard,
  StartAction,
  Verification as VerificationSchema,
} from '../../protocol/messages/action.messages.ts';
import type { Static } from '../../protocol/schema.ts';
import type { DeviceReceipt, ReaderChip, ReaderEvent } from '../readers/reader.ts';

export type CopyName = Static<typeof CopyNameSchema>;
export type Verification = Static<typeof VerificationSchema>;

/** What the machine of an action begins with: the command, without what only its transport needs. */
export interface ActionInput {
  start: Omit<BodyOf<typeof StartAction>, 'seq' | 'expiresAtMs'>;
  /** Epoch milliseconds. */
  atMs: number;
}

/**
 * All that is known of an action. JSON, since it is kept in the journal; of the card only its masked data, and
 * until the issuer has decided what is encrypted for it.
 */
export interface ActionContext {
  start: ActionInput['start'];
  /** When `deadline.passed` is due, epoch milliseconds; null when nothing is waited for. */
  deadlineMs: number | null;
  /** When `answer.overdue` is due, epoch milliseconds; null when no question is open. */
  askAgainMs: number | null;
  /** Until when a card may be presented, however many could not be read before. */
  cardDeadlineMs: number;
  unreadableCards: number;
  /** The reader has been empty for some time since it was asked to look for a card. */
  cardMissing: boolean;
  card: MaskedCard | null;
  /** What a real card has for its issuer; null once the issuer has decided or nobody asks it any more, as nothing of it may be kept longer. */
  chip: ReaderChip | null;
  /** What the issuer has for the card. */
  answer: ChipResponse | null;
  /** What a payment terminal authorised at its own bank; null when there is none, or it was reversed. */
  device: DeviceApproval | null;
  deviceReceipt: DeviceReceipt | null;
  verification: Verification;
  /** After a wrong PIN, how many more may be tried. */
  pinTriesLeft: number | null;
  authorisationCode: string | null;
  /** When the approval came, epoch milliseconds: the receipt's time. */
  approvedAtMs: number | null;
  failedCopies: CopyName[];
  /** Why the action did not succeed, as far as this terminal knows (Spec §4.12, action.error.code). */
  code: string | null;
  /** How often the server was asked for its word since the last step of the action. */
  inquiries: number;
}

/** What happened, to the terminal or at the server. */
export type ActionFact =
  | ReaderEvent
  | { type: 'deadline.passed' }
  | { type: 'issuer.approved'; authorisationCode: string; chip?: ChipResponse }
  | { type: 'issuer.declined'; code: string; chip?: ChipResponse }
  | { type: 'device.reversed' }
  | { type: 'device.notReversed'; reason: string }
  | { type: 'copy.printed'; copy: CopyName }
  | { type: 'copy.failed'; copy: CopyName; reason: string }
  | { type: 'receipt.confirmed'; copy: CopyName; status: BodyOf<typeof ConfirmReceipt>['status'] }
  /** The server repeated its start: it has not heard that the action was accepted. */
  | { type: 'action.repeated' }
  /** The server may have missed a report. */
  | { type: 'report.requested' }
  /** What was asked has not been answered yet: it may not have arrived. */
  | { type: 'answer.overdue' }
  | { type: 'action.cancelled' }
  | { type: 'action.ended'; status: BodyOf<typeof EndAction>['status']; code?: string }
  /** An inquiry went out, so now is the time to say again what the server may have missed. */
  | { type: 'server.asked' }
  /** The action was restored from the journal: the reader and the printer have forgotten it. */
  | { type: 'power.returned' };

/** A fact and when the terminal took note of it, epoch milliseconds: the machine has no clock. */
export type ActionEvent = ActionFact & { atMs: number };

/**
 * What the machine wants done, said by name; agent/lifecycle/action-effects.ts does it. The last six leave the
 * terminal as messages. Doing any of these twice changes nothing, but for a second copy on paper.
 */
export type ActionEffect =
  | { type: 'beginReader' }
  | { type: 'pollForCard' }
  | { type: 'askForPin' }
  | { type: 'verifyPin' }
  | { type: 'answerCard' }
  | { type: 'reverseDevice' }
  | { type: 'endReader' }
  | { type: 'printMerchantCopy' }
  | { type: 'printCustomerCopy' }
  | { type: 'acceptAction' }
  | { type: 'askIssuer' }
  | { type: 'presentReceipt' }
  | { type: 'completeAction' }
  | { type: 'abandonAction' }
  | { type: 'inquire' };

export type EffectName = ActionEffect['type'];
