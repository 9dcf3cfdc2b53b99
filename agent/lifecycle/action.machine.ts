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

/** A card that could not be used: the next one, three times in all. */
const nextCard = {
  target: '#action.awaitingCard',
  actions: ['countUnreadableCard', 'pollForCard'],
  reenter: true,
} as const;
const unreadable = [{ guard: 'wasLastTry', ...abandon('bad_track_data') }, nextCard] as const;

/** A card may leave the field once it is read; out of the slot it takes the PIN with it. */
const removedFromSlot = [
  { guard: 'isInsertedOnLastTry', ...abandon('bad_track_data') },
  { guard: 'isInserted', ...nextCard },
] as const;

/** What counts while the issuer has not been asked: the terminal may give up by itself. */
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
/** A payment terminal asks its own bank, whenever a card was there: the server has the last word. */
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
 * States are conditions, events are facts, and what is to be done is emitted by name: the machine is pure, its
 * host acts. Each state carries one tag, the status of the action as the API calls it. Only the server ends an
 * action: the finals are entered by its `action.ended` alone, from wherever the terminal stands. What the
 * terminal knows before that has states of its own: `abandoning` and `reversing` (it gave up, the server has
 * not heard so yet), `declined` and `cancelling` (the server has decided, its last word is on the way).
 *
 * A card in the slot has to agree to the issuer's approval (`answeringCard`). What a payment terminal
 * authorised at its own bank is taken back there when the server does not let it stand (`takingBack`).
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
        // Nobody knows any more whether the card has agreed.
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
              // Failed, or the customer's copy, which comes second: nothing is left to wait for but the end.
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
