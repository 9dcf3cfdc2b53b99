import { assign, setup } from 'xstate';
import type { Ending } from './terminal-language.ts';

/** Events of a stand-alone terminal: from the till, the cardholder, the card, the bank and the printer. */
export type StandAloneEvent =
  | { type: 'sale.requested' }
  | { type: 'card.requested' }
  | { type: 'card.presented' }
  | { type: 'card.read'; asksForPin: boolean }
  | { type: 'card.unreadable' }
  | { type: 'pin.right' }
  | { type: 'pin.wrong'; triesLeft: number }
  | { type: 'pin.blocked' }
  | { type: 'bank.answered' }
  | { type: 'receipts.printed' }
  | { type: 'paper.missing' }
  | { type: 'cancel.pressed' }
  | { type: 'till.cancelled' }
  | { type: 'till.lost' }
  | { type: 'deadline.passed' };

interface StandAloneContext {
  /** Why the last command ended before the bank was asked; null where it was asked. */
  ending: Ending | null;
  /** Whether the card has no PIN try left: its bank declines then. */
  pinIsBlocked: boolean;
}

/** An action that the machine only names: `stand-alone-terminal.ts` does it. */
const effect = () => {};

const machineSetup = setup({
  types: { context: {} as StandAloneContext, events: {} as StandAloneEvent },
  guards: {
    asksForPin: ({ event }) => event.type === 'card.read' && event.asksForPin,
    hasTriesLeft: ({ event }) => event.type === 'pin.wrong' && event.triesLeft > 0,
  },
  actions: {
    begin: assign({ ending: null, pinIsBlocked: false }),
    setEnding: assign({ ending: (_, { ending }: { ending: Ending }) => ending }),
    blockPin: assign({ pinIsBlocked: true }),
    tellInsertCard: effect,
    tellWatchPinPad: effect,
    tellIncorrectPin: effect,
    tellWaitingForBank: effect,
    awaitCard: effect,
    readCard: effect,
    askForPin: effect,
    refuseCancel: effect,
    askBank: effect,
    printReceipts: effect,
  },
});

function endBy(ending: Ending) {
  return { target: 'idle', actions: { type: 'setEnding', params: { ending } } } as const;
}

/** Until the bank is asked, till and cardholder may stop the terminal, and so may the time. */
const stoppable = {
  'till.cancelled': endBy('tillCancelled'),
  'cancel.pressed': endBy('cardholderCancelled'),
  'deadline.passed': endBy('timedOut'),
} as const;

/** A payment terminal that authorises at its own bank. */
export const standAloneMachine = machineSetup.createMachine({
  id: 'standAlone',
  initial: 'idle',
  context: { ending: null, pinIsBlocked: false },
  // What the bank has approved is in the journal before the till is told.
  on: { 'till.lost': '.idle' },
  states: {
    idle: {
      on: {
        'sale.requested': { target: 'awaitingCard', actions: 'begin' },
        'card.requested': { target: 'identifyingCard', actions: 'begin' },
      },
    },
    identifyingCard: {
      entry: ['tellInsertCard', 'awaitCard'],
      on: { ...stoppable, 'card.presented': 'idle' },
    },
    awaitingCard: {
      entry: ['tellInsertCard', 'awaitCard'],
      on: { ...stoppable, 'card.presented': 'readingCard' },
    },
    readingCard: {
      entry: 'readCard',
      on: {
        'till.cancelled': endBy('tillCancelled'),
        'card.unreadable': endBy('cardUnreadable'),
        'card.read': [
          { guard: 'asksForPin', target: 'enteringPin', actions: 'tellWatchPinPad' },
          { target: 'authorising' },
        ],
      },
    },
    enteringPin: {
      entry: 'askForPin',
      on: {
        ...stoppable,
        'pin.right': 'authorising',
        'pin.wrong': [
          { guard: 'hasTriesLeft', target: 'enteringPin', actions: 'tellIncorrectPin', reenter: true },
          { target: 'authorising', actions: ['tellIncorrectPin', 'blockPin'] },
        ],
        'pin.blocked': { target: 'authorising', actions: 'blockPin' },
      },
    },
    // Nobody stops the terminal any more.
    authorising: {
      entry: ['refuseCancel', 'tellWaitingForBank', 'askBank'],
      on: { 'bank.answered': 'printing' },
    },
    printing: {
      entry: 'printReceipts',
      on: { 'receipts.printed': 'idle', 'paper.missing': 'idle' },
    },
  },
});
