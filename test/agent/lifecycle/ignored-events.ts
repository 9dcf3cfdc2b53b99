import type { ActionEvent } from '../../../agent/lifecycle/action-events.ts';

const CARD_STATES = ['awaitingCard', 'reading', 'awaitingPin', 'verifyingPin'];
const PRINTING = ['approved.printing.merchantCopy', 'approved.printing.customerCopy'];
const TERMINAL_PRINTS = [...PRINTING, 'approved.completing'];
const POINT_OF_SALE_PRINTS = [
  'approved.awaitingMerchantReceipt',
  'approved.awaitingCustomerReceipt',
  'approved.awaitingEnd',
];
const APPROVED = [...TERMINAL_PRINTS, ...POINT_OF_SALE_PRINTS];
const GIVEN_UP = ['abandoning', 'reversing'];
const DECIDED = ['declined', 'cancelling'];
const TAKING_BACK = ['reversingAtDevice.failed', 'reversingAtDevice.cancelled'];
const ASKED = ['authorising', 'completingCard'];
const AT_DEVICE = ['atDevice', 'outcomeUnknown'];
const AFTER_CARD = [...ASKED, ...APPROVED, ...GIVEN_UP, ...DECIDED, ...TAKING_BACK];
const ALL = [...CARD_STATES, ...AT_DEVICE, ...AFTER_CARD];
const except = (states: string[], ...left: string[]) => states.filter((state) => !left.includes(state));

export const FINALS = ['succeeded', 'failed', 'cancelled'];

/**
 * Why a fact that can come in a state changes nothing there. The test beside this sees to it that a pair that is
 * neither handled by the machine nor named here fails, and that no line here is wrong or names no state.
 */
export const IGNORED: { events: ActionEvent['type'][] | 'all'; states: string[]; because: string }[] = [
  {
    events: ['card.presented'],
    states: except(CARD_STATES, 'awaitingCard'),
    because: 'one card at a time: the reader has one already',
  },
  {
    events: ['card.read'],
    states: ['awaitingPin', 'verifyingPin'],
    because: 'the card is read already; another is no business of this action',
  },
  {
    events: ['card.missing'],
    states: except(ALL, 'awaitingCard'),
    because: 'a card is there, or none is looked for',
  },
  { events: ['card.removed'], states: ['awaitingCard'], because: 'no card is expected to be there' },
  { events: ['pin.entered'], states: except(CARD_STATES, 'awaitingPin'), because: 'no PIN was asked for' },
  {
    events: ['pin.accepted', 'pin.rejected'],
    states: except(CARD_STATES, 'verifyingPin'),
    because: 'no PIN is being checked',
  },
  {
    events: ['card.presented', 'card.read', 'card.unreadable', 'card.declined'],
    states: AFTER_CARD,
    because: 'the card has done its part',
  },
  {
    events: ['card.removed'],
    states: except(AFTER_CARD, 'completingCard'),
    because: 'the card has done its part',
  },
  {
    events: ['card.completed', 'card.refused'],
    states: except(ALL, 'completingCard'),
    because: 'no card has an answer to agree to',
  },
  {
    events: ['device.approved', 'device.declined'],
    states: ['awaitingPin', 'verifyingPin', ...AFTER_CARD],
    because: 'a device decides once, and asks for the PIN by itself',
  },
  {
    events: [
      'card.presented',
      'card.read',
      'card.unreadable',
      'card.removed',
      'card.declined',
      'pin.entered',
      'pin.accepted',
      'pin.rejected',
      'copy.printed',
      'copy.failed',
      'receipt.confirmed',
      'issuer.approved',
      'issuer.declined',
    ],
    states: AT_DEVICE,
    because: 'a payment terminal reads the card, asks its bank and reports what came of it',
  },
  {
    events: ['device.ready'],
    states: except(ALL, 'awaitingCard'),
    because: 'the request is sent once, or no payment terminal has it',
  },
  {
    events: ['device.unknown'],
    states: except(ALL, ...AT_DEVICE),
    because: 'no payment terminal has the request',
  },
  {
    events: ['authorisation.overdue'],
    states: except(ALL, 'authorising'),
    because: 'no question to the issuer is open',
  },
  {
    events: ['device.reversed'],
    states: except(ALL, ...TAKING_BACK),
    because: 'nothing is being taken back',
  },
  {
    events: ['device.reversalFailed'],
    states: ALL,
    because: 'it is tried again when the deadline passes',
  },
  {
    events: ['pin.entered', 'pin.accepted', 'pin.rejected'],
    states: AFTER_CARD,
    because: 'the cardholder has done theirs',
  },
  {
    events: ['cancel.pressed'],
    states: AFTER_CARD,
    because: 'once the issuer is asked only the server can cancel',
  },
  {
    events: ['reader.failed'],
    states: [...GIVEN_UP, ...DECIDED, ...TAKING_BACK],
    because: 'the reader is not needed any more',
  },
  {
    events: ['issuer.approved', 'issuer.declined'],
    states: CARD_STATES,
    because: 'the journal lost the question; asking again brings the same decision',
  },
  {
    events: ['issuer.approved', 'issuer.declined'],
    states: ['completingCard', ...APPROVED, 'declined'],
    because: 'a decision is made once; the server repeats it after an inquiry',
  },
  {
    events: ['issuer.approved', 'issuer.declined'],
    states: GIVEN_UP,
    because: 'the terminal gave up: the server reverses what it approved',
  },
  {
    events: ['issuer.approved', 'issuer.declined'],
    states: ['cancelling', ...TAKING_BACK],
    because: 'a cancelled action is not authorised',
  },
  {
    events: ['copy.printed', 'copy.failed'],
    states: except([...CARD_STATES, ...AFTER_CARD], ...PRINTING),
    because: 'nothing is being printed, or the printer was given up',
  },
  {
    events: ['receipt.confirmed'],
    states: [...CARD_STATES, ...ASKED, ...GIVEN_UP, ...DECIDED, ...TAKING_BACK],
    because: 'there is no receipt, or none any more',
  },
  {
    events: ['receipt.confirmed'],
    states: TERMINAL_PRINTS,
    because: 'the terminal prints by itself',
  },
  {
    events: ['receipt.confirmed'],
    states: ['approved.awaitingEnd'],
    because: 'both copies are confirmed; the server repeats itself after an inquiry',
  },
  { events: ['action.cancelled'], states: ['cancelling'], because: 'cancelled once is cancelled' },
  {
    events: ['action.cancelled', 'action.ended'],
    states: TAKING_BACK,
    because: 'the action has ended at the server; the device has not followed yet',
  },
  {
    events: ['inquiry.sent'],
    states: ['completingCard', ...DECIDED, ...TAKING_BACK],
    because: 'the server has decided: the terminal owes it nothing',
  },
  { events: 'all', states: FINALS, because: 'the action is over' },
];
