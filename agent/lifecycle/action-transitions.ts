// Transitions that several states of action.machine.ts share.

import type { TerminalErrorCode } from '../../protocol/failures.ts';
import * as deadlines from './deadlines.ts';

export function setDeadline(ms: number) {
  return { type: 'setDeadline', params: { ms } } as const;
}

export const waitForServer = setDeadline(deadlines.SERVER_REPLY_MS);

function abandon(code: TerminalErrorCode) {
  return { target: '#action.abandoning', actions: { type: 'setErrorCode', params: { code } } } as const;
}

export function reverse(code: TerminalErrorCode) {
  return { target: '#action.reversing', actions: { type: 'setErrorCode', params: { code } } } as const;
}

/** After an unreadable card: waits for the next one, up to three. */
const nextCard = {
  target: '#action.awaitingCard',
  actions: ['countUnreadableCard', 'awaitNextCard'],
  reenter: true,
} as const;
export const unreadable = [
  { guard: 'isLastUnreadableCard', ...abandon('bad_track_data') },
  nextCard,
] as const;

/** A contactless card may be removed once it is read; a contact card is needed for the PIN. */
export const removedFromSlot = [
  { guard: 'isLastUnreadableContactCard', ...abandon('bad_track_data') },
  { guard: 'isInserted', ...nextCard },
] as const;

/** Transitions before authorisation, when the terminal may still abandon the action by itself. */
export const beforeAuthorising = {
  'cancel.pressed': abandon('cancelled_on_terminal'),
  'reader.failed': abandon('unexpected_error'),
  'deadline.passed': abandon('timeout'),
  'card.unreadable': unreadable,
  'card.declined': abandon('card_declined'),
  'inquiry.sent': { actions: 'acceptAction' },
  'power.returned': {
    target: '#action.awaitingCard',
    actions: ['clearCard', 'startReader'],
    reenter: true,
  },
} as const;
/** Transitions of a payment terminal, which authorises with its own bank. The server still decides. */
export const byDevice = {
  'device.approved': { target: '#action.authorising', actions: 'setDeviceApproval' },
  'device.declined': abandon('card_declined'),
} as const;
/** A request that a payment terminal has: only its outcome, or a person at the server, ends the action. */
export const sentToDevice = {
  ...byDevice,
  'cancel.pressed': abandon('cancelled_on_terminal'),
  'reader.failed': abandon('unexpected_error'),
} as const;
export const cardRead = [
  { guard: 'needsPin', target: '#action.awaitingPin', actions: 'setCard' },
  { target: '#action.authorising', actions: 'setCard' },
] as const;

/** The terminal has given up. Only the server ends the action. */
export const givenUp = {
  tags: 'InProgress',
  entry: [waitForServer, 'stopReader', 'abandonAction'],
  on: { 'inquiry.sent': { actions: 'abandonAction' }, 'action.repeated': { actions: 'abandonAction' } },
} as const;

/** A copy that is not printed, or not in time, is skipped and reported as failed. */
export const withoutMerchantCopy = {
  target: 'customerCopy',
  actions: { type: 'addFailedCopy', params: { copy: 'merchantCopy' } },
} as const;
export const withoutCustomerCopy = {
  target: '#action.approved.completing',
  actions: { type: 'addFailedCopy', params: { copy: 'customerCopy' } },
} as const;
