import { isTerminalErrorCode, messageOf } from '../../protocol/failures.ts';
import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  ReceiptReady,
  type DeviceApproval,
} from '../../protocol/messages/action.messages.ts';
import type { Printer } from '../printer.ts';
import { receiptOf } from '../receipt.ts';
import type { ActionContext, ActionFact, CopyName, EffectName } from './action-facts.ts';
import type { CardRequest } from '../readers/reader.ts';
import type { ReaderSession } from './reader-session.ts';

/** Something to do once the journal is saved. */
export type Deed = () => void;

export type ReportBody<M extends DeclaredMessage> = Omit<BodyOf<M>, 'actionId' | 'seq'>;

/** What the effects of an action work on. */
export interface Workplace {
  readonly terminalId: string;
  readonly context: ActionContext;
  readonly reader: ReaderSession;
  readonly printer: Printer;
  /** Takes back what the device authorised. @throws Fault `reader` when it could not. */
  reverse(approval: DeviceApproval): Promise<void>;
  take(fact: ActionFact): void;
  /**
   * Numbers a report of this action and returns its sending; undefined without a connection, since the fact is
   * said again by state when there is one (`server.asked`).
   */
  report<M extends DeclaredMessage>(message: M, body: ReportBody<M>): Deed | undefined;
}

/**
 * How each effect of the machine is done. The outer call is made before the journal is saved and only takes
 * sequence numbers; what it returns acts.
 */
export const EFFECTS: Record<EffectName, (work: Workplace) => Deed | undefined> = {
  beginReader: ({ reader, context }) => {
    return () => reader.begin(requestOf(context));
  },
  pollForCard: ({ reader }) => reader.awaitCard,
  askForPin: ({ reader }) => reader.awaitPin,
  verifyPin: ({ reader }) => reader.verifyPin,
  answerCard: ({ reader, context: { answer, code } }) => {
    const outcome = code === null ? 'approved' : 'declined';
    return () => reader.completeCard({ outcome, ...(answer && { chip: answer }) });
  },
  reverseDevice: (work) => {
    const { device } = work.context;
    return device ? () => reverse(work, device) : undefined;
  },
  endReader: ({ reader }) => reader.end,
  printMerchantCopy: (work) => () => print(work, 'merchantCopy'),
  printCustomerCopy: (work) => () => print(work, 'customerCopy'),
  acceptAction: (work) => work.report(ActionAccepted, {}),
  askIssuer: (work) => {
    const { card, verification, chip, device } = work.context;
    if (!card) return undefined;
    const more = { ...(chip && { chip: chip.request }), ...(device && { device }) };
    return work.report(AuthoriseAction, { card, verification, ...more });
  },
  presentReceipt: (work) => work.report(ReceiptReady, { receipt: receiptOf(work.context, work.terminalId) }),
  completeAction: (work) => work.report(ActionCompleted, { failedCopies: work.context.failedCopies }),
  abandonAction: (work) => {
    const { code } = work.context;
    return work.report(ActionAbandoned, { code: isTerminalErrorCode(code) ? code : 'unexpected_error' });
  },
  inquire: (work) => {
    const ask = work.report(ActionInquired, {});
    if (!ask) return undefined;
    return () => {
      ask();
      work.take({ type: 'server.asked' });
    };
  },
};

/** What the reader is asked for, of all that is known. */
export function requestOf({ start }: ActionContext): CardRequest {
  const { actionId, type, amountMinor, currency, cardholder } = start;
  return { actionId, type, amountMinor, currency, ...(cardholder && { cardholder }) };
}

function reverse(work: Workplace, approval: DeviceApproval): void {
  work.reverse(approval).then(
    () => work.take({ type: 'device.reversed' }),
    (error: unknown) => work.take({ type: 'device.notReversed', reason: messageOf(error) }),
  );
}

function print(work: Workplace, copy: CopyName): void {
  const failed = (reason: string) => work.take({ type: 'copy.failed', copy, reason });
  const text = receiptOf(work.context, work.terminalId)[copy];
  // A printer may also throw at once; inside the chain that is a failed copy too.
  Promise.resolve()
    .then(() => work.printer.print(copy, text))
    .then(
      (outcome) => (outcome === 'printed' ? work.take({ type: 'copy.printed', copy }) : failed(outcome)),
      (error: unknown) => failed(messageOf(error)),
    );
}
