import { decode, type BodyOf, type DeclaredMessage } from '../../protocol/message.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  type CopyName as CopyNameSchema,
  type StartAction,
  type Verification as VerificationSchema,
} from '../../protocol/messages/action.messages.ts';
import type { ChipResponse, DeviceApproval, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import type { Static } from '../../protocol/schema.ts';
import type { DeviceReceipt, ReaderChip, ReaderEvent } from '../readers/reader.ts';

export type CopyName = Static<typeof CopyNameSchema>;
export type Verification = Static<typeof VerificationSchema>;

/** Input of the action machine: the start command without its transport fields. */
export interface ActionInput {
  start: Omit<BodyOf<typeof StartAction>, 'seq' | 'expiresAtMs'>;
  /** Epoch milliseconds. */
  atMs: number;
}

/**
 * Context of the action machine. It is stored in the journal as JSON, so it holds only masked card data, and encrypted
 * data only until the issuer has decided.
 */
export interface ActionContext {
  start: ActionInput['start'];
  /** When `deadline.passed` is due, epoch milliseconds; null without a deadline. */
  deadlineMs: number | null;
  /** When `authorisation.overdue` is due, epoch milliseconds; null without an open request. */
  askAgainMs: number | null;
  /** Deadline for a card, epoch milliseconds. Unreadable cards do not extend it. */
  cardDeadlineMs: number;
  unreadableCards: number;
  /** Whether the reader has found no card for some time. */
  cardMissing: boolean;
  card: MaskedCard | null;
  /** Chip data for the issuer; null once the issuer has decided or is not asked any more, since it must not be kept. */
  chip: ReaderChip | null;
  /** Chip data from the issuer for the card. */
  answer: ChipResponse | null;
  /** Approval of a payment terminal by its own bank; null when there is none, or it was reversed. */
  device: DeviceApproval | null;
  deviceReceipt: DeviceReceipt | null;
  verification: Verification;
  /** Remaining PIN tries after a wrong PIN. */
  pinTriesLeft: number | null;
  authorisationCode: string | null;
  /** Time of the approval, epoch milliseconds, for the receipt. */
  approvedAtMs: number | null;
  failedCopies: CopyName[];
  /** Error code of the action, if the terminal knows it (Spec §4.12, action.error.code). */
  code: string | null;
  /** What the reader reported with it (protocol/reason.ts). An older firmware has kept none in its journal. */
  reason?: string | null;
  /** Inquiries since the last change of state. */
  inquiries: number;
  /** Whether a payment terminal has the request, and has reported no outcome. An older firmware does not say. */
  openAtDevice?: boolean;
}

/** Events of the action machine, from the reader, the printer, the timer and the server. */
export type ActionEvent =
  | ReaderEvent
  | { type: 'deadline.passed' }
  | { type: 'issuer.approved'; authorisationCode: string; chip?: ChipResponse }
  | { type: 'issuer.declined'; code: string; chip?: ChipResponse }
  | { type: 'device.reversed' }
  | { type: 'device.reversalFailed'; reason: string }
  | { type: 'copy.printed'; copy: CopyName }
  | { type: 'copy.failed'; copy: CopyName; reason: string }
  | { type: 'receipt.confirmed'; copy: CopyName; status: BodyOf<typeof ConfirmReceipt>['status'] }
  /** The server repeated its start command, since it has received no report of the action. */
  | { type: 'action.repeated' }
  /** The server asks for reports that it may have missed. */
  | { type: 'report.requested' }
  /** The request to the issuer has not been answered in time. */
  | { type: 'authorisation.overdue' }
  | { type: 'action.cancelled' }
  | { type: 'action.ended'; status: BodyOf<typeof EndAction>['status']; code?: string }
  /** An inquiry was sent, so the state repeats its reports. */
  | { type: 'inquiry.sent' }
  /** The action was restored from the journal. Reader and printer have lost their state. */
  | { type: 'power.returned' };

/** An event with its time, epoch milliseconds, since the machine has no clock. */
export type TimedActionEvent = ActionEvent & { atMs: number };

/**
 * Names of the machine's effects, which agent/lifecycle/action-effects.ts implements. The last eight send messages.
 * All are idempotent, except that a receipt may be printed twice.
 */
export type EffectName =
  | 'startReader'
  | 'sendToDevice'
  | 'findOutcome'
  | 'awaitNextCard'
  | 'requestPin'
  | 'verifyPin'
  | 'completeCard'
  | 'reverseAtDevice'
  | 'reverseAfterPowerCut'
  | 'stopReader'
  | 'stopReaderOncePaid'
  | 'printMerchantCopy'
  | 'printCustomerCopy'
  | 'acceptAction'
  | 'requestAuthorisation'
  | 'sendReceipt'
  | 'completeAction'
  | 'abandonAction'
  | 'reportPending'
  | 'reportUnknown'
  | 'sendInquiry';

interface Command {
  actionId: string;
  seq: number;
  event: ActionEvent;
}

/** Maps a command of the server to an event of the action machine. */
function command<M extends DeclaredMessage>(message: M, toEvent: (body: BodyOf<M>) => ActionEvent) {
  const read = (payload: Uint8Array): Command => {
    const body = decode(message, payload);
    const { actionId, seq } = body as { actionId: string; seq: number };
    return { actionId, seq, event: toEvent(body) };
  };
  return [message.name, read] as const;
}

const chipOf = ({ chip }: BodyOf<typeof DecideAction>) => (chip ? { chip } : {});

const COMMANDS = new Map([
  command(CancelAction, () => ({ type: 'action.cancelled' })),
  command(DecideAction, (body) =>
    body.outcome === 'approved'
      ? { type: 'issuer.approved', authorisationCode: body.authorisationCode ?? '', ...chipOf(body) }
      : { type: 'issuer.declined', code: body.code ?? 'unexpected_error', ...chipOf(body) },
  ),
  command(ConfirmReceipt, ({ copy, status }) => ({ type: 'receipt.confirmed', copy, status })),
  command(RequestReport, () => ({ type: 'report.requested' })),
  command(EndAction, ({ status, code }) => ({ type: 'action.ended', status, ...(code && { code }) })),
]);

/**
 * Decodes a command to a running action. Returns undefined for any other message name.
 * @throws Fault `garbage_message` when the payload does not match its schema.
 */
export function readCommand(name: string, payload: Uint8Array): Command | undefined {
  return COMMANDS.get(name)?.(payload);
}
