import { machineSetup } from './action-setup.ts';
import {
  beforeAuthorising,
  byDevice,
  cardRead,
  givenUp,
  removedFromSlot,
  reverse,
  sentToDevice,
  setDeadline,
  unreadable,
  waitForServer,
  withoutCustomerCopy,
  withoutMerchantCopy,
} from './action-transitions.ts';
import * as deadlines from './deadlines.ts';

/**
 * One action of a terminal, payment or refund (Spec §4.12).
 *
 * The machine is pure: it names its effects, and ActionRun runs them. Each state has one tag, the status of the action
 * in the API. Only the server ends an action: the final states are entered by `action.ended` alone, from any state.
 * Until then the terminal waits in states of its own: `abandoning` and `reversing` after it has given up, `declined`
 * and `cancelling` after the server has decided.
 *
 * A payment terminal that can neither be cancelled nor be asked for its outcome alone ends what it was sent (`atDevice`);
 * if its outcome does not come, a person settles the action at the server (`outcomeUnknown`).
 *
 * A contact card must accept the issuer's approval (`completingCard`). The approval of a payment terminal is reversed
 * there if the server does not accept it (`reversingAtDevice`).
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
    reason: null,
    inquiries: 0,
    openAtDevice: false,
  }),
  entry: ['acceptAction', 'startReader'],
  initial: 'awaitingCard',
  on: {
    'action.cancelled': { target: '.cancelling', actions: 'clearChipData' },
    'action.ended': [
      { guard: 'cancelledWithDeviceApproval', target: '.reversingAtDevice.cancelled', actions: 'setReason' },
      { guard: 'endedWithDeviceApproval', target: '.reversingAtDevice.failed', actions: 'setReason' },
      { guard: 'endedSucceeded', target: '.succeeded', actions: 'clearChipData' },
      { guard: 'endedCancelled', target: '.cancelled', actions: 'setReason' },
      { target: '.failed', actions: 'setReason' },
    ],
    'action.repeated': { actions: 'acceptAction' },
    'report.requested': { actions: 'sendInquiry' },
    'deadline.passed': { actions: ['extendDeadline', 'sendInquiry'] },
    'power.returned': { actions: waitForServer },
  },
  states: {
    awaitingCard: {
      tags: 'InProgress',
      entry: 'startCardDeadline',
      on: {
        ...beforeAuthorising,
        ...byDevice,
        'card.missing': { actions: 'setCardMissing' },
        'card.presented': 'reading',
        'card.read': cardRead,
        'device.ready': 'atDevice',
      },
    },
    atDevice: {
      tags: 'InProgress',
      entry: [setDeadline(deadlines.DEVICE_OUTCOME_MS), 'setOpenAtDevice', 'reportPending', 'sendToDevice'],
      on: {
        ...sentToDevice,
        'device.unknown': { target: 'outcomeUnknown', actions: 'setUnknownReason' },
        'deadline.passed': { target: 'outcomeUnknown', actions: 'setUnknownReason' },
        'inquiry.sent': { actions: ['acceptAction', 'reportPending'] },
        'action.repeated': { actions: ['acceptAction', 'reportPending'] },
        // Whether the request had arrived is not known.
        'power.returned': { target: 'outcomeUnknown', actions: ['setUnknownReason', 'findOutcome'] },
      },
    },
    outcomeUnknown: {
      tags: 'InProgress',
      entry: [waitForServer, 'reportUnknown'],
      on: {
        ...sentToDevice,
        'device.unknown': { actions: ['setUnknownReason', 'reportUnknown'] },
        'inquiry.sent': { actions: 'reportUnknown' },
        'action.repeated': { actions: 'reportUnknown' },
        'power.returned': { actions: [waitForServer, 'findOutcome'] },
      },
    },
    reading: {
      tags: 'InProgress',
      entry: setDeadline(deadlines.READ_CARD_MS),
      on: { ...beforeAuthorising, ...byDevice, 'card.read': cardRead, 'card.removed': unreadable },
    },
    awaitingPin: {
      tags: 'InProgress',
      entry: [setDeadline(deadlines.PIN_ENTRY_MS), 'requestPin'],
      on: { ...beforeAuthorising, 'pin.entered': 'verifyingPin', 'card.removed': removedFromSlot },
    },
    verifyingPin: {
      tags: 'InProgress',
      entry: [setDeadline(deadlines.VERIFY_PIN_MS), 'verifyPin'],
      on: {
        ...beforeAuthorising,
        'card.removed': removedFromSlot,
        'pin.accepted': { target: 'authorising', actions: 'setPinAccepted' },
        'pin.rejected': [
          { guard: 'hasNoPinTriesLeft', target: 'authorising', actions: 'setPinFailed' },
          { target: 'awaitingPin', actions: 'setPinTries' },
        ],
      },
    },
    authorising: {
      tags: 'InProgress',
      entry: [setDeadline(deadlines.AUTHORISE_MS), 'setRetryTime', 'requestAuthorisation'],
      exit: 'clearRetryTime',
      on: {
        'authorisation.overdue': { actions: ['setRetryTime', 'requestAuthorisation'] },
        'issuer.approved': [
          { guard: 'cardNeedsCompletion', target: 'completingCard', actions: 'setApproval' },
          { guard: 'terminalPrints', target: 'approved.printing', actions: 'setApproval' },
          { target: 'approved.awaitingMerchantReceipt', actions: 'setApproval' },
        ],
        'issuer.declined': [
          { guard: 'cardNeedsCompletion', target: 'declined', actions: ['setDecline', 'completeCard'] },
          { target: 'declined', actions: 'setDecline' },
        ],
        'deadline.passed': reverse('timeout'),
        'reader.failed': reverse('unexpected_error'),
        'inquiry.sent': { actions: ['acceptAction', 'requestAuthorisation'] },
        'action.repeated': { actions: ['acceptAction', 'requestAuthorisation'] },
        'power.returned': {
          actions: [setDeadline(deadlines.AUTHORISE_MS), 'setRetryTime'],
        },
      },
    },
    completingCard: {
      tags: 'InProgress',
      entry: [setDeadline(deadlines.COMPLETE_CARD_MS), 'completeCard'],
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
      entry: ['stopReader', 'sendReceipt'],
      initial: 'printing',
      on: {
        'reader.failed': reverse('unexpected_error'),
        'inquiry.sent': { actions: 'sendReceipt' },
      },
      states: {
        printing: {
          initial: 'merchantCopy',
          states: {
            merchantCopy: {
              entry: [setDeadline(deadlines.PRINT_COPY_MS), 'printMerchantCopy'],
              on: {
                'copy.printed': { guard: 'isMerchantCopy', target: 'customerCopy' },
                'copy.failed': { guard: 'isMerchantCopy', ...withoutMerchantCopy },
                'deadline.passed': withoutMerchantCopy,
                'power.returned': { target: 'merchantCopy', reenter: true },
              },
            },
            customerCopy: {
              entry: [setDeadline(deadlines.PRINT_COPY_MS), 'printCustomerCopy'],
              on: {
                'copy.printed': { guard: 'isCustomerCopy', target: '#action.approved.completing' },
                'copy.failed': { guard: 'isCustomerCopy', ...withoutCustomerCopy },
                'deadline.passed': withoutCustomerCopy,
                'power.returned': { target: 'customerCopy', reenter: true },
              },
            },
          },
        },
        completing: {
          entry: [waitForServer, 'completeAction'],
          on: { 'inquiry.sent': { actions: ['sendReceipt', 'completeAction'] } },
        },
        awaitingMerchantReceipt: {
          entry: setDeadline(deadlines.CONFIRM_RECEIPT_MS),
          on: {
            'receipt.confirmed': [
              {
                guard: 'isMerchantCopyPrinted',
                target: 'awaitingCustomerReceipt',
                actions: 'setConfirmation',
              },
              // It failed, or is the customer copy, which comes second. Only the end of the action is left.
              { target: 'awaitingEnd', actions: 'setConfirmation' },
            ],
          },
        },
        awaitingCustomerReceipt: {
          entry: setDeadline(deadlines.CONFIRM_RECEIPT_MS),
          on: {
            'receipt.confirmed': {
              guard: 'isCustomerCopy',
              target: 'awaitingEnd',
              actions: 'setConfirmation',
            },
          },
        },
        awaitingEnd: { entry: waitForServer },
      },
    },
    abandoning: givenUp,
    reversing: givenUp,
    declined: { tags: 'Failed', entry: [waitForServer, 'stopReader'] },
    cancelling: {
      tags: 'Cancelled',
      entry: [waitForServer, 'stopReader'],
      on: {
        'action.cancelled': {},
        // The reader has forgotten a request that the cancel has crossed: what may come of it is reported for a person.
        'power.returned': {
          guard: 'isOpenAtDevice',
          actions: [waitForServer, 'findOutcome', 'stopReader'],
        },
      },
    },
    reversingAtDevice: {
      entry: [setDeadline(deadlines.REVERSE_MS), 'stopReader', 'reverseAtDevice'],
      initial: 'failed',
      on: {
        'action.ended': {},
        'action.cancelled': {},
        'device.reversalFailed': {},
        'deadline.passed': {
          actions: [setDeadline(deadlines.REVERSE_MS), 'reverseAtDevice'],
        },
        'power.returned': {
          actions: [setDeadline(deadlines.REVERSE_MS), 'reverseAfterPowerCut'],
        },
      },
      states: {
        failed: {
          tags: 'Failed',
          on: { 'device.reversed': { target: '#action.failed', actions: 'clearDeviceApproval' } },
        },
        cancelled: {
          tags: 'Cancelled',
          on: { 'device.reversed': { target: '#action.cancelled', actions: 'clearDeviceApproval' } },
        },
      },
    },
    succeeded: { tags: 'Succeeded', type: 'final', entry: ['clearDeadline', 'stopReaderOncePaid'] },
    failed: { tags: 'Failed', type: 'final', entry: ['clearDeadline', 'stopReader'] },
    cancelled: { tags: 'Cancelled', type: 'final', entry: ['clearDeadline', 'stopReader'] },
  },
});
