import type { TerminalErrorCode } from '../../protocol/failures.ts';
import { machineSetup } from './action-setup.ts';
import * as deadlines from './deadlines.ts';

const waitForServer = { type: 'wait', params: { ms: deadlines.SERVER_WORD_MS } } as const;

function abandon(code: TerminalErrorCode) {
  return { target: '#action.abandoning', actions: { type: 'giveUp', params: { code } } } as const;
}

function reverse(code: TerminalErrorCode) {
  return { target: '#action.reversing', actions: { type: 'giveUp', params: { code } } } as const;
}

/** After an unreadable card: waits for the next one, up to three. */
const nextCard = {
  target: '#action.awaitingCard',
  actions: ['countUnreadableCard', 'lookForCard'],
  reenter: true,
} as const;
const unreadable = [{ guard: 'wasLastTry', ...abandon('bad_track_data') }, nextCard] as const;

/** A contactless card may be removed once it is read; a contact card is needed for the PIN. */
const removedFromSlot = [
  { guard: 'isInsertedOnLastTry', ...abandon('bad_track_data') },
  { guard: 'isInserted', ...nextCard },
] as const;

/** Transitions before authorisation, when the terminal may still abandon the action by itself. */
const beforeAuthorising = {
  'cancel.pressed': abandon('cancelled_on_terminal'),
  'reader.failed': abandon('unexpected_error'),
  'deadline.passed': abandon('timeout'),
  'card.unreadable': unreadable,
  'card.declined': abandon('card_declined'),
  'server.asked': { actions: 'acceptAction' },
  'power.returned': {
    target: '#action.awaitingCard',
    actions: ['forgetCard', 'beginReader'],
    reenter: true,
  },
} as const;
/** Transitions of a payment terminal, which authorises with its own bank. The server still decides. */
const byDevice = {
  'device.approved': { target: '#action.authorising', actions: 'keepDeviceApproval' },
  'device.declined': abandon('card_declined'),
} as const;
const cardRead = [
  { guard: 'needsPin', target: '#action.awaitingPin', actions: 'keepCard' },
  { target: '#action.authorising', actions: 'keepCard' },
] as const;

/**
 * One action of a terminal, payment or refund (Spec §4.12).
 *
 * The machine is pure: it names its effects, and ActionRun runs them. Each state has one tag, the status of the action
 * in the API. Only the server ends an action: the final states are entered by `action.ended` alone, from any state.
 * Until then the terminal waits in states of its own: `abandoning` and `reversing` after it has given up, `declined`
 * and `cancelling` after the server has decided.
 *
 * A contact card must accept the issuer's approval (`answeringCard`). The approval of a payment terminal is reversed
 * there if the server does not accept it (`takingBack`).
 */
export const actionMachine = machineSetup.createMachine({
  id: 'action',
  context: ({ input }) => ({
    start: input.start,
    deadlineMs: null,
    askAgainMs: null,
    cardDeadlineMs: input.atMs + input.start.presentCardMs,
    unreadableCards: 0,
    cardMissing: false,
    card: null,
    chip: null,
    answer: null,
    device: null,
    deviceReceipt: null,
    verification: 'None',
    pinTriesLeft: null,
    authorisationCode: null,
    approvedAtMs: null,
    failedCopies: [],
    code: null,
    inquiries: 0,
  }),
  entry: ['acceptAction', 'beginReader'],
  initial: 'awaitingCard',
  on: {
    'action.cancelled': { target: '.cancelling', actions: 'forgetSealed' },
    'action.ended': [
      { guard: 'cancelledAwayFromDevice', target: '.takingBack.cancelled', actions: 'keepReason' },
      { guard: 'endedAwayFromDevice', target: '.takingBack.failed', actions: 'keepReason' },
      { guard: 'endedSucceeded', target: '.succeeded' },
      { guard: 'endedCancelled', target: '.cancelled', actions: 'keepReason' },
      { target: '.failed', actions: 'keepReason' },
    ],
    'action.repeated': { actions: 'acceptAction' },
    'report.requested': { actions: 'inquire' },
    'deadline.passed': { actions: ['waitLonger', 'inquire'] },
    'power.returned': { actions: waitForServer },
  },
  states: {
    awaitingCard: {
      tags: 'InProgress',
      entry: 'waitForCard',
      on: {
        ...beforeAuthorising,
        ...byDevice,
        'card.missing': { actions: 'noteMissingCard' },
        'card.presented': 'reading',
        'card.read': cardRead,
      },
    },
    reading: {
      tags: 'InProgress',
      entry: { type: 'wait', params: { ms: deadlines.READ_CARD_MS } },
      on: { ...beforeAuthorising, ...byDevice, 'card.read': cardRead, 'card.removed': unreadable },
    },
    awaitingPin: {
      tags: 'InProgress',
      entry: [{ type: 'wait', params: { ms: deadlines.PIN_ENTRY_MS } }, 'askForPin'],
      on: { ...beforeAuthorising, 'pin.entered': 'verifyingPin', 'card.removed': removedFromSlot },
    },
    verifyingPin: {
      tags: 'InProgress',
      entry: [{ type: 'wait', params: { ms: deadlines.VERIFY_PIN_MS } }, 'verifyPin'],
      on: {
        ...beforeAuthorising,
        'card.removed': removedFromSlot,
        'pin.accepted': { target: 'authorising', actions: 'keepPinAccepted' },
        'pin.rejected': [
          { guard: 'hasNoTriesLeft', target: 'authorising', actions: 'keepPinFailed' },
          { target: 'awaitingPin', actions: 'keepPinTries' },
        ],
      },
    },
    authorising: {
      tags: 'InProgress',
      entry: [{ type: 'wait', params: { ms: deadlines.AUTHORISE_MS } }, 'expectAnswer', 'askIssuer'],
      exit: 'expectNothing',
      on: {
        'answer.overdue': { actions: ['expectAnswer', 'askIssuer'] },
        'issuer.approved': [
          { guard: 'cardAwaitsAnswer', target: 'answeringCard', actions: 'keepApproval' },
          { guard: 'terminalPrints', target: 'approved.printing', actions: 'keepApproval' },
          { target: 'approved.awaitingMerchantReceipt', actions: 'keepApproval' },
        ],
        'issuer.declined': [
          { guard: 'cardAwaitsAnswer', target: 'declined', actions: ['keepDecline', 'answerCard'] },
          { target: 'declined', actions: 'keepDecline' },
        ],
        'deadline.passed': reverse('timeout'),
        'reader.failed': reverse('unexpected_error'),
        'server.asked': { actions: ['acceptAction', 'askIssuer'] },
        'power.returned': {
          actions: [{ type: 'wait', params: { ms: deadlines.AUTHORISE_MS } }, 'expectAnswer'],
        },
      },
    },
    answeringCard: {
      tags: 'InProgress',
      entry: [{ type: 'wait', params: { ms: deadlines.COMPLETE_CARD_MS } }, 'answerCard'],
      on: {
        'card.completed': [
          { guard: 'terminalPrints', target: 'approved.printing' },
          { target: 'approved.awaitingMerchantReceipt' },
        ],
        'card.refused': reverse('card_declined'),
        'card.removed': reverse('card_declined'),
        'reader.failed': reverse('unexpected_error'),
        'deadline.passed': reverse('timeout'),
        // Whether the card accepted the approval is unknown.
        'power.returned': reverse('unexpected_error'),
      },
    },
    approved: {
      tags: 'InProgress',
      entry: ['endReader', 'presentReceipt'],
      initial: 'printing',
      on: {
        'reader.failed': reverse('unexpected_error'),
        'server.asked': { actions: 'presentReceipt' },
      },
      states: {
        printing: {
          initial: 'merchantCopy',
          states: {
            merchantCopy: {
              entry: [{ type: 'wait', params: { ms: deadlines.PRINT_COPY_MS } }, 'printMerchantCopy'],
              on: {
                'copy.printed': { guard: 'isMerchantCopy', target: 'customerCopy' },
                'copy.failed': {
                  guard: 'isMerchantCopy',
                  target: 'customerCopy',
                  actions: { type: 'keepFailedCopy', params: { copy: 'merchantCopy' } },
                },
                'deadline.passed': {
                  target: 'customerCopy',
                  actions: { type: 'keepFailedCopy', params: { copy: 'merchantCopy' } },
                },
                'power.returned': { target: 'merchantCopy', reenter: true },
              },
            },
            customerCopy: {
              entry: [{ type: 'wait', params: { ms: deadlines.PRINT_COPY_MS } }, 'printCustomerCopy'],
              on: {
                'copy.printed': { guard: 'isCustomerCopy', target: '#action.approved.completing' },
                'copy.failed': {
                  guard: 'isCustomerCopy',
                  target: '#action.approved.completing',
                  actions: { type: 'keepFailedCopy', params: { copy: 'customerCopy' } },
                },
                'deadline.passed': {
                  target: '#action.approved.completing',
                  actions: { type: 'keepFailedCopy', params: { copy: 'customerCopy' } },
                },
                'power.returned': { target: 'customerCopy', reenter: true },
              },
            },
          },
        },
        completing: {
          entry: [waitForServer, 'completeAction'],
          on: { 'server.asked': { actions: ['presentReceipt', 'completeAction'] } },
        },
        awaitingMerchantReceipt: {
          entry: { type: 'wait', params: { ms: deadlines.CONFIRM_RECEIPT_MS } },
          on: {
            'receipt.confirmed': [
              {
                guard: 'isMerchantCopyPrinted',
                target: 'awaitingCustomerReceipt',
                actions: 'keepConfirmation',
              },
              // It failed, or is the customer copy, which comes second. Only the end of the action is left.
              { target: 'settling', actions: 'keepConfirmation' },
            ],
          },
        },
        awaitingCustomerReceipt: {
          entry: { type: 'wait', params: { ms: deadlines.CONFIRM_RECEIPT_MS } },
          on: {
            'receipt.confirmed': { guard: 'isCustomerCopy', target: 'settling', actions: 'keepConfirmation' },
          },
        },
        settling: { entry: waitForServer },
      },
    },
    abandoning: {
      tags: 'InProgress',
      entry: [waitForServer, 'endReader', 'abandonAction'],
      on: { 'server.asked': { actions: 'abandonAction' } },
    },
    reversing: {
      tags: 'InProgress',
      entry: [waitForServer, 'endReader', 'abandonAction'],
      on: { 'server.asked': { actions: 'abandonAction' } },
    },
    declined: { tags: 'Failed', entry: [waitForServer, 'endReader'] },
    cancelling: {
      tags: 'Cancelled',
      entry: [waitForServer, 'endReader'],
      on: { 'action.cancelled': {} },
    },
    takingBack: {
      entry: [{ type: 'wait', params: { ms: deadlines.REVERSE_MS } }, 'endReader', 'reverseDevice'],
      initial: 'failed',
      on: {
        'action.ended': {},
        'action.cancelled': {},
        'device.notReversed': {},
        'deadline.passed': {
          actions: [{ type: 'wait', params: { ms: deadlines.REVERSE_MS } }, 'reverseDevice'],
        },
        'power.returned': {
          actions: [{ type: 'wait', params: { ms: deadlines.REVERSE_MS } }, 'reverseDevice'],
        },
      },
      states: {
        failed: {
          tags: 'Failed',
          on: { 'device.reversed': { target: '#action.failed', actions: 'forgetDevice' } },
        },
        cancelled: {
          tags: 'Cancelled',
          on: { 'device.reversed': { target: '#action.cancelled', actions: 'forgetDevice' } },
        },
      },
    },
    succeeded: { tags: 'Succeeded', type: 'final', entry: ['waitForNothing', 'endReader'] },
    failed: { tags: 'Failed', type: 'final', entry: ['waitForNothing', 'endReader'] },
    cancelled: { tags: 'Cancelled', type: 'final', entry: ['waitForNothing', 'endReader'] },
  },
});
