import type { EffectName } from './action-events.ts';

/** What a terminal does in each state of its machine, in a sentence; a state within another by the last part of its path. */
export const STATE_TEXTS: Readonly<Record<string, string>> = {
  awaitingCard: 'It waits for a card.',
  reading: 'It reads the card.',
  awaitingPin: 'It waits for the PIN.',
  verifyingPin: 'It verifies the PIN that was typed.',
  authorising: 'It has asked the server for the approval, and waits for it.',
  completingCard: 'It tells a contact card of the approval, which the card may refuse.',
  approved: 'The payment or refund is approved, and its receipt is next.',
  printing: 'It prints both copies of the receipt.',
  merchantCopy: 'It prints the copy for the merchant.',
  customerCopy: 'It prints the copy for the cardholder.',
  completing: 'It has reported that the receipt is printed, and waits for the end of the action.',
  awaitingMerchantReceipt: 'It waits until the point of sale has printed the copy for the merchant.',
  awaitingCustomerReceipt: 'It waits until the point of sale has printed the copy for the cardholder.',
  awaitingEnd: 'Both copies are confirmed, and it waits for the end of the action.',
  abandoning: 'It has given up before the approval, and waits for the end of the action.',
  reversing: 'It has given up after the approval, and waits for the end of the action.',
  declined: 'The bank has declined, and it waits for the end of the action.',
  cancelling: 'The point of sale has cancelled, and it waits for the end of the action.',
  reversingAtDevice: 'It reverses what a payment terminal has approved by itself.',
  succeeded: 'The action has ended: it succeeded.',
  failed: 'The action has ended: it failed.',
  cancelled: 'The action has ended: it was cancelled.',
};

/** What each effect of the machine of a terminal does, in a sentence. */
export const EFFECT_TEXTS: Readonly<Record<EffectName, string>> = {
  startReader: 'It asks its reader for a card.',
  awaitNextCard: 'It asks its reader for the next card, after one that could not be read.',
  requestPin: 'It asks for the PIN.',
  verifyPin: 'It lets the card or the server verify the PIN.',
  completeCard: 'It tells the card what the bank has decided.',
  reverseAtDevice: 'It reverses the approval of a payment terminal.',
  stopReader: 'It ends the work of its reader.',
  printMerchantCopy: 'It prints the copy for the merchant.',
  printCustomerCopy: 'It prints the copy for the cardholder.',
  acceptAction: 'It reports that it has started the action.',
  requestAuthorisation: 'It asks the server for the approval of the bank.',
  sendReceipt: 'It sends both copies of the receipt to the server.',
  completeAction: 'It reports that the receipt is printed; the server captures then.',
  abandonAction: 'It reports that it has given up.',
  sendInquiry: 'It asks the server for the action that is under way.',
};
