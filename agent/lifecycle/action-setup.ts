import { assertEvent, assign, setup } from 'xstate';
import type { TerminalErrorCode } from '../../protocol/failures.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import type { ActionContext, TimedActionEvent, ActionInput, CopyName } from './action-events.ts';
import * as deadlines from './deadlines.ts';

const types = {
  context: {} as ActionContext,
  events: {} as TimedActionEvent,
  input: {} as ActionInput,
  tags: {} as ActionStatus,
};

/** An action that the machine only names. ActionRun runs it after the journal is saved (action-effects.ts). */
const effect = () => {};

/** Types, guards, context updates and named effects of the action machine. */
export const machineSetup = setup({
  types,
  guards: {
    terminalPrints: ({ context }) => context.start.receiptPrintingSource === 'Terminal',
    isLastUnreadableCard: ({ context }) => context.unreadableCards + 1 >= deadlines.UNREADABLE_CARDS_MAX,
    isInserted: ({ context }) => context.card?.entryMode === 'Contact',
    isLastUnreadableContactCard: ({ context }) =>
      context.card?.entryMode === 'Contact' && context.unreadableCards + 1 >= deadlines.UNREADABLE_CARDS_MAX,
    isOpenAtDevice: ({ context }) => context.openAtDevice === true,
    cardNeedsCompletion: ({ context }) => context.chip?.awaitsAnswer === true,
    endedWithDeviceApproval: ({ context, event }) =>
      context.device !== null && event.type === 'action.ended' && event.status !== 'Succeeded',
    cancelledWithDeviceApproval: ({ context, event }) =>
      context.device !== null && event.type === 'action.ended' && event.status === 'Cancelled',
    needsPin: ({ event }) => event.type === 'card.read' && event.pin === 'pin',
    hasNoPinTriesLeft: ({ event }) => event.type === 'pin.rejected' && event.triesLeft <= 0,
    isMerchantCopy: ({ event }) => 'copy' in event && event.copy === 'merchantCopy',
    isCustomerCopy: ({ event }) => 'copy' in event && event.copy === 'customerCopy',
    isMerchantCopyPrinted: ({ event }) =>
      'copy' in event && event.copy === 'merchantCopy' && 'status' in event && event.status === 'Succeeded',
    endedSucceeded: ({ event }) => event.type === 'action.ended' && event.status === 'Succeeded',
    endedCancelled: ({ event }) => event.type === 'action.ended' && event.status === 'Cancelled',
  },
  actions: {
    setDeadline: assign({
      deadlineMs: ({ event }, { ms }: { ms: number }) => event.atMs + ms,
      inquiries: 0,
    }),
    startCardDeadline: assign({ deadlineMs: ({ context }) => context.cardDeadlineMs }),
    extendDeadline: assign({
      deadlineMs: ({ context, event }) =>
        event.atMs + deadlines.SERVER_REPLY_MS * 2 ** (context.inquiries + 1),
      inquiries: ({ context }) => Math.min(context.inquiries + 1, deadlines.SERVER_REPLY_DOUBLINGS_MAX - 1),
    }),
    setRetryTime: assign({
      askAgainMs: ({ context, event }) => event.atMs + deadlines.AUTHORISE_RETRY_MS * 2 ** context.inquiries,
      inquiries: ({ context }) => Math.min(context.inquiries + 1, deadlines.SERVER_REPLY_DOUBLINGS_MAX - 1),
    }),
    clearRetryTime: assign({ askAgainMs: null }),
    clearDeadline: assign({ deadlineMs: null }),
    countUnreadableCard: assign({
      unreadableCards: ({ context }) => context.unreadableCards + 1,
      cardMissing: false,
      card: null,
      chip: null,
      pinTriesLeft: null,
    }),
    setCardMissing: assign({ cardMissing: true }),
    clearCard: assign({ card: null, chip: null, cardMissing: false, pinTriesLeft: null }),
    clearChipData: assign({ chip: null }),
    setCard: assign(({ event }) => {
      assertEvent(event, 'card.read');
      return { card: event.card, chip: event.chip ?? null, verification: verificationWithoutPin(event) };
    }),
    setPinAccepted: assign(({ context, event }) => {
      assertEvent(event, 'pin.accepted');
      // A contact card checks the PIN offline; for a contactless card only the issuer can (EMV 4.4 Book 3 §10.5).
      const usual = context.card?.entryMode === 'Contact' ? 'OfflinePin' : 'OnlinePin';
      return { verification: event.method ?? usual, chip: event.chip ?? context.chip };
    }),
    setPinFailed: assign(({ context, event }) => {
      assertEvent(event, 'pin.rejected');
      return { verification: 'PinFailed', chip: event.chip ?? context.chip };
    }),
    setDeviceApproval: assign(({ event }) => {
      assertEvent(event, 'device.approved');
      const { card, approval, receipt } = event;
      return {
        card,
        device: approval,
        deviceReceipt: receipt ?? null,
        verification: 'OnDevice',
        openAtDevice: false,
      };
    }),
    clearDeviceApproval: assign({ device: null }),
    setPinTries: assign(({ event }) => {
      assertEvent(event, 'pin.rejected');
      return { pinTriesLeft: event.triesLeft };
    }),
    setApproval: assign(({ event }) => {
      assertEvent(event, 'issuer.approved');
      const { authorisationCode, chip } = event;
      return { authorisationCode, approvedAtMs: event.atMs, answer: chip ?? null, chip: null };
    }),
    setReason: assign(({ event }) => {
      assertEvent(event, ['issuer.declined', 'action.ended']);
      return { code: event.code ?? null, chip: null };
    }),
    setDecline: assign(({ event }) => {
      assertEvent(event, 'issuer.declined');
      return { code: event.code, answer: event.chip ?? null, chip: null };
    }),
    setErrorCode: assign(({ event }, { code }: { code: TerminalErrorCode }) => ({
      code,
      reason: 'reason' in event ? (reasonText(event.reason) ?? null) : null,
      chip: null,
      openAtDevice: false,
    })),
    setOpenAtDevice: assign({ openAtDevice: true }),
    setUnknownReason: assign({ reason: ({ event }) => reasonText(unknownReason(event)) ?? null }),
    addFailedCopy: assign({
      failedCopies: ({ context }, { copy }: { copy: CopyName }) => [...context.failedCopies, copy],
    }),
    setConfirmation: assign(({ context, event }) => {
      assertEvent(event, 'receipt.confirmed');
      return event.status === 'Failed' ? { failedCopies: [...context.failedCopies, event.copy] } : {};
    }),
    startReader: effect,
    sendToDevice: effect,
    findOutcome: effect,
    awaitNextCard: effect,
    requestPin: effect,
    verifyPin: effect,
    completeCard: effect,
    reverseAtDevice: effect,
    reverseAfterPowerCut: effect,
    stopReader: effect,
    stopReaderOncePaid: effect,
    printMerchantCopy: effect,
    printCustomerCopy: effect,
    acceptAction: effect,
    requestAuthorisation: effect,
    sendReceipt: effect,
    completeAction: effect,
    abandonAction: effect,
    reportPending: effect,
    reportUnknown: effect,
    sendInquiry: effect,
  },
});

/** Returns why the outcome of a payment terminal is not known. */
function unknownReason(event: TimedActionEvent): string {
  if (event.type === 'device.unknown') return event.reason;
  return event.type === 'power.returned'
    ? 'the terminal restarted before the outcome was known'
    : 'the payment terminal has not answered in time';
}

/** Returns the verification without a PIN. A magnetic stripe needs a signature. */
function verificationWithoutPin(event: Extract<TimedActionEvent, { type: 'card.read' }>) {
  if (event.pin === 'onDevice') return 'OnDevice';
  if (event.pin === 'signature') return 'Signature';
  return event.card.entryMode === 'Swipe' ? 'Signature' : 'None';
}
