import { isTerminalErrorCode, messageOf } from '../../protocol/failures.ts';
import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
} from '../../protocol/messages/action.messages.ts';
import type { DeviceApproval } from '../../protocol/messages/card-data.schema.ts';
import type { ActionContext, ActionEvent, CopyName, EffectName } from './action-events.ts';
import type { CardRequest, ReversalOptions } from '../readers/reader.ts';
import type { ReaderSession } from './reader-session.ts';
import { receiptCopyOf, receiptOf, type Printer } from './receipt.ts';

/**
 * A function that runs an effect, to be called once the journal is saved. One that takes time resolves when it has ended, with
 * the event of that, if any.
 */
type PendingEffect = () => void | Promise<ActionEvent | void>;

export type ReportBody<M extends DeclaredMessage> = Omit<BodyOf<M>, 'actionId' | 'seq'>;

/** Dependencies of the effects of an action. */
export interface EffectContext {
  readonly terminalId: string;
  readonly context: ActionContext;
  readonly reader: ReaderSession;
  readonly printer: Printer;
  /** Whether the journal holds the current state. */
  readonly isSaved: boolean;
  /** Reverses the approval of a payment terminal. @throws Fault `reader` when it fails. */
  reverse(approval: DeviceApproval, options: ReversalOptions): Promise<void>;
  send(event: ActionEvent): void;
  /**
   * Gives a report its sequence number and returns the function that sends it. Returns undefined while offline; the
   * state sends the report when the terminal is online again (`inquiry.sent`). `onSent` is called once the server has it.
   */
  report<M extends DeclaredMessage>(
    message: M,
    body: ReportBody<M>,
    onSent?: () => void,
  ): PendingEffect | undefined;
}

/**
 * Implementations of the machine's effects. Each is called before the journal is saved, takes only sequence numbers,
 * and returns the function to run after it is saved.
 */
export const EFFECTS: Record<EffectName, (run: EffectContext) => PendingEffect | undefined> = {
  startReader: ({ reader, context }) => {
    return () => reader.begin(requestOf(context));
  },
  sendToDevice: (run) => () => {
    if (run.isSaved) return run.reader.sendToDevice();
    // After a power cut the terminal would not know of the request, and would send it again.
    run.send({ type: 'reader.failed', reason: 'the journal cannot be written, so the request is not sent' });
  },
  findOutcome: ({ reader, context }) => {
    return () => reader.findOutcome(requestOf(context));
  },
  awaitNextCard: ({ reader }) => reader.awaitCard,
  requestPin: ({ reader }) => reader.awaitPin,
  verifyPin: ({ reader }) => reader.verifyPin,
  completeCard: ({ reader, context: { answer, code } }) => {
    const outcome = code === null ? 'approved' : 'declined';
    return () => reader.completeCard({ outcome, ...(answer && { chip: answer }) });
  },
  reverseAtDevice: (run) => reverse(run, { mayBeSent: false }),
  reverseAfterPowerCut: (run) => reverse(run, { mayBeSent: true }),
  stopReader: ({ reader, context: { code } }) => {
    // An outcome that a person has settled ends the action as Succeeded, or with this code. Servers that do not send
    // `unknown_action` yet end an action that they do not know so too: a reversal after a person's would pay back twice.
    return () => reader.end({ unsettled: code !== 'unexpected_error' });
  },
  stopReaderOncePaid: ({ reader }) => {
    return () => reader.end({ paid: true });
  },
  printMerchantCopy: (run) => () => print(run, 'merchantCopy'),
  printCustomerCopy: (run) => () => print(run, 'customerCopy'),
  acceptAction: (run) => run.report(ActionAccepted, {}),
  requestAuthorisation: (run) => {
    const { card, verification, chip, device } = run.context;
    if (!card) return undefined;
    const more = { ...(chip && { chip: chip.request }), ...(device && { device }) };
    return run.report(AuthoriseAction, { card, verification, ...more });
  },
  sendReceipt: (run) => run.report(ReceiptReady, { receipt: receiptOf(run.context, run.terminalId) }),
  completeAction: (run) => {
    const { context, terminalId } = run;
    const receipt = receiptOf(context, terminalId);
    return run.report(ActionCompleted, { failedCopies: context.failedCopies, receipt });
  },
  abandonAction: (run) => {
    const { code, reason } = run.context;
    return run.report(ActionAbandoned, {
      code: isTerminalErrorCode(code) ? code : 'unexpected_error',
      ...(reason && { reason }),
    });
  },
  reportPending: (run) => run.report(ActionUnsettled, { outcome: 'Pending' }),
  reportUnknown: (run) => {
    const { reason } = run.context;
    const body = { outcome: 'Unknown' as const, ...(reason && { reason }) };
    return run.report(ActionUnsettled, body, run.reader.unknownReported);
  },
  sendInquiry: (run) => inquire(run, {}),
};

/** Tells the reader, after a power cut, of a request to a payment terminal whose action has ended without its outcome. */
export function endAtDevice({ reader, context, snapshot }: EndedAction): void {
  if (!context.openAtDevice || snapshot.value === 'succeeded') return;
  reader.findOutcome(requestOf(context));
  reader.end({ unsettled: context.code !== 'unexpected_error' });
}

interface EndedAction extends Pick<EffectContext, 'reader' | 'context'> {
  snapshot: { value: unknown };
}

/** Prepares the inquiry of an action. */
export function inquire(
  run: EffectContext,
  body: Pick<BodyOf<typeof ActionInquired>, 'requestedActionId'>,
): PendingEffect | undefined {
  const send = run.report(ActionInquired, body);
  if (!send) return undefined;
  return () => {
    const sent = send();
    run.send({ type: 'inquiry.sent' });
    return sent;
  };
}

/** An effect of a transition; without `run` there is nothing to do, as for a report while offline. */
export interface PreparedEffect {
  name: EffectName;
  run: PendingEffect | undefined;
}

/** Prepares effects, in order: to be called before the journal is saved. */
export function prepareEffects(names: readonly EffectName[], run: EffectContext): PreparedEffect[] {
  return names.map((name) => ({ name, run: EFFECTS[name](run) }));
}

/** Returns whether the name is one of an effect. */
export function isEffectName(name: string): name is EffectName {
  return Object.hasOwn(EFFECTS, name);
}

/** Returns the request to the reader for an action. */
export function requestOf({ start }: ActionContext): CardRequest {
  const { actionId, type, amountMinor, currency, cardholder } = start;
  return { actionId, type, amountMinor, currency, ...(cardholder && { cardholder }) };
}

function reverse(run: EffectContext, options: Pick<ReversalOptions, 'mayBeSent'>): PendingEffect | undefined {
  const { device } = run.context;
  if (!device) return undefined;
  return () =>
    run.reverse(device, { ...options, isSaved: run.isSaved }).then(
      () => ({ type: 'device.reversed' }),
      (error: unknown) => ({ type: 'device.reversalFailed', reason: messageOf(error) }),
    );
}

function print(run: EffectContext, copy: CopyName): Promise<ActionEvent> {
  const failed = (reason: string): ActionEvent => ({ type: 'copy.failed', copy, reason });
  const text = receiptCopyOf(run.context, run.terminalId, copy);
  // Called inside the chain, so that a printer that throws synchronously fails the copy too.
  return Promise.resolve()
    .then(() => run.printer.print(copy, text))
    .then(
      (outcome): ActionEvent => (outcome === 'printed' ? { type: 'copy.printed', copy } : failed(outcome)),
      (error: unknown) => failed(messageOf(error)),
    );
}
