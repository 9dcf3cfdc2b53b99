import { assertEvent, assign, setup } from 'xstate';
import type { TerminalErrorCode } from '../../protocol/failures.ts';
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
    wasLastTry: ({ context }) => context.unreadableCards + 1 >= deadlines.UNREADABLE_CARDS_MAX,
    isInserted: ({ context }) => context.card?.entryMode === 'Contact',
    isInsertedOnLastTry: ({ context }) =>
      context.card?.entryMode === 'Contact' && context.unreadableCards + 1 >= deadlines.UNREADABLE_CARDS_MAX,
    cardAwaitsAnswer: ({ context }) => context.chip?.awaitsAnswer === true,
    endedAwayFromDevice: ({ context, event }) =>
      context.device !== null && event.type === 'action.ended' && event.status !== 'Succeeded',
    cancelledAwayFromDevice: ({ context, event }) =>
      context.device !== null && event.type === 'action.ended' && event.status === 'Cancelled',
    needsPin: ({ event }) => event.type === 'card.read' && event.pin === 'pin',
    hasNoTriesLeft: ({ event }) => event.type === 'pin.rejected' && event.triesLeft <= 0,
    isMerchantCopy: ({ event }) => 'copy' in event && event.copy === 'merchantCopy',
    isCustomerCopy: ({ event }) => 'copy' in event && event.copy === 'customerCopy',
    isMerchantCopyPrinted: ({ event }) =>
      'copy' in event && event.copy === 'merchantCopy' && 'status' in event && event.status === 'Succeeded',
    endedSucceeded: ({ event }) => event.type === 'action.ended' && event.status === 'Succeeded',
    endedCancelled: ({ event }) => event.type === 'action.ended' && event.status === 'Cancelled',
  },
  actions: {
    wait: assign({
      deadlineMs: ({ event }, { ms }: { ms: number }) => event.atMs + ms,
      inquiries: 0,
    }),
    waitForCard: assign({ deadlineMs: ({ context }) => context.cardDeadlineMs }),
    waitLonger: assign({
      deadlineMs: ({ context, event }) =>
        event.atMs + deadlines.SERVER_WORD_MS * 2 ** (context.inquiries + 1),
      inquiries: ({ context }) => Math.min(context.inquiries + 1, deadlines.SERVER_WORD_DOUBLINGS_MAX - 1),
    }),
    expectAnswer: assign({
      askAgainMs: ({ context, event }) => event.atMs + deadlines.ASK_AGAIN_MS * 2 ** context.inquiries,
      inquiries: ({ context }) => Math.min(context.inquiries + 1, deadlines.SERVER_WORD_DOUBLINGS_MAX - 1),
    }),
    expectNothing: assign({ askAgainMs: null }),
    waitForNothing: assign({ deadlineMs: null }),
    countUnreadableCard: assign({
      unreadableCards: ({ context }) => context.unreadableCards + 1,
      cardMissing: false,
      card: null,
      chip: null,
      pinTriesLeft: null,
    }),
    noteMissingCard: assign({ cardMissing: true }),
    forgetCard: assign({ card: null, chip: null, cardMissing: false, pinTriesLeft: null }),
    forgetSealed: assign({ chip: null }),
    keepCard: assign(({ event }) => {
      assertEvent(event, 'card.read');
      return { card: event.card, chip: event.chip ?? null, verification: verificationWithoutPin(event) };
    }),
    keepPinAccepted: assign(({ context, event }) => {
      assertEvent(event, 'pin.accepted');
      // A contact card checks the PIN offline; for a contactless card only the issuer can (EMV 4.4 Book 3 §10.5).
      const usual = context.card?.entryMode === 'Contact' ? 'OfflinePin' : 'OnlinePin';
      return { verification: event.method ?? usual, chip: event.chip ?? context.chip };
    }),
    keepPinFailed: assign(({ context, event }) => {
      assertEvent(event, 'pin.rejected');
      return { verification: 'PinFailed', chip: event.chip ?? context.chip };
    }),
    keepDeviceApproval: assign(({ event }) => {
      assertEvent(event, 'device.approved');
      const { card, approval, receipt } = event;
      return { card, device: approval, deviceReceipt: receipt ?? null, verification: 'OnDevice' };
    }),
    forgetDevice: assign({ device: null }),
    keepPinTries: assign(({ event }) => {
      assertEvent(event, 'pin.rejected');
      return { pinTriesLeft: event.triesLeft };
    }),
    keepApproval: assign(({ event }) => {
      assertEvent(event, 'issuer.approved');
      const { authorisationCode, chip } = event;
      return { authorisationCode, approvedAtMs: event.atMs, answer: chip ?? null, chip: null };
    }),
    keepReason: assign(({ event }) => {
      assertEvent(event, ['issuer.declined', 'action.ended']);
      return { code: event.code ?? null, chip: null };
    }),
    keepDecline: assign(({ event }) => {
      assertEvent(event, 'issuer.declined');
      return { code: event.code, answer: event.chip ?? null, chip: null };
    }),
    giveUp: assign({ code: (_, { code }: { code: TerminalErrorCode }) => code, chip: null }),
    keepFailedCopy: assign({
      failedCopies: ({ context }, { copy }: { copy: CopyName }) => [...context.failedCopies, copy],
    }),
    keepConfirmation: assign(({ context, event }) => {
      assertEvent(event, 'receipt.confirmed');
      return event.status === 'Failed' ? { failedCopies: [...context.failedCopies, event.copy] } : {};
    }),
    beginReader: effect,
    lookForCard: effect,
    askForPin: effect,
    verifyPin: effect,
    answerCard: effect,
    reverseDevice: effect,
    endReader: effect,
    printMerchantCopy: effect,
    printCustomerCopy: effect,
    acceptAction: effect,
    askIssuer: effect,
    presentReceipt: effect,
    completeAction: effect,
    abandonAction: effect,
    inquire: effect,
  },
});

/** Returns the verification without a PIN. A magnetic stripe needs a signature. */
function verificationWithoutPin(event: Extract<TimedActionEvent, { type: 'card.read' }>) {
  if (event.pin === 'onDevice') return 'OnDevice';
  if (event.pin === 'signature') return 'Signature';
  return event.card.entryMode === 'Swipe' ? 'Signature' : 'None';
}
