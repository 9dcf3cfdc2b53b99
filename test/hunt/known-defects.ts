import { expect } from 'vitest';
import type { HuntedFault, HuntOptions } from '../../testing/hunt/hunt.ts';
import { acknowledgesFirst, forgetsIds } from './tills/books-on-disk.ts';
import { asksLastMinute } from './tills/asks-last-minute.ts';
import { bookedTwice } from './tills/booked-twice.ts';
import { bookedAtOnce } from './tills/booked-at-once.ts';
import { bookedBeside } from './tills/booked-beside.ts';
import { captureForgotten } from './tills/capture-forgotten.ts';
import { cashAssumed } from './tills/cash-assumed.ts';
import { claimedByBoth, takesOver } from './tills/takes-over.ts';
import { takenOffFirst } from './tills/taken-off-first.ts';
import { undeclinedBooked, unauthenticatedBooked } from './tills/challenged.ts';
import { chargedAgain } from './tills/charged-again.ts';
import { chargedThoughCancelled } from './tills/charged-though-cancelled.ts';
import { closedDisputeWon } from './tills/closed-dispute-won.ts';
import { givesUp } from './tills/gives-up.ts';
import { knownFailures } from './tills/known-failures.ts';
import { lateReplyBooked } from './tills/late-reply-booked.ts';
import { payoutBooked } from './tills/payout-booked.ts';
import { refundBooked } from './tills/refund-booked.ts';
import { refundedAtStart } from './tills/refunded-at-start.ts';
import { renewalBooked } from './tills/renewal-booked.ts';
import { replyBooked } from './tills/reply-booked.ts';
import { resultLost } from './tills/result-lost.ts';
import { signatureTaken } from './tills/signature-taken.ts';
import { queuedInMemory } from './tills/queued-in-memory.ts';
import { twoWrites } from './tills/two-writes.ts';
import { waitsForReturn } from './tills/waits-for-return.ts';
import { waitsForEvents } from './tills/waits-for-events.ts';
import { wrongPaymentCancelled } from './tills/wrong-payment-cancelled.ts';

/** A way in which tills have lost money. */
interface KnownDefect {
  /** What a till does that has it. */
  name: string;
  /** Returns the hunt of a till that has it, or of the same till without it. */
  till(isRight: boolean): HuntOptions;
  /** What a hunt says about it. */
  verdict: RegExp;
  /** The only fault that finds it, or the only faults together. */
  only?: Partial<HuntedFault> | readonly Partial<HuntedFault>[];
}

const TAKEN_AND_NOT_PAID =
  /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/;
const PAID_AND_NOT_TAKEN = /the order order-1 is paid, and no money was taken/;

/** Told in docs/hunting.md, with the public threads that describe them. */
export const KNOWN_DEFECTS: readonly KnownDefect[] = [
  { name: 'charges again after a time-out', till: chargedAgain, verdict: /order-1 was charged \d times/ },
  { name: 'loses the result of a payment', till: resultLost, verdict: TAKEN_AND_NOT_PAID },
  {
    name: 'books an event that comes twice twice',
    till: bookedTwice,
    verdict: /the books have 3484, and 1742 were taken/,
  },
  {
    name: 'cancels the payment of another till',
    till: wrongPaymentCancelled,
    verdict: /order-2 was cancelled, and the shop did not cancel it/,
  },
  {
    name: 'says cancelled while the card is charged',
    till: chargedThoughCancelled,
    verdict: TAKEN_AND_NOT_PAID,
  },
  {
    name: 'forgets to capture',
    till: captureForgotten,
    verdict: new RegExp(`is still Approved|${TAKEN_AND_NOT_PAID.source}`),
  },
  { name: 'gives up after five tries', till: givesUp, verdict: TAKEN_AND_NOT_PAID },
  {
    name: 'books a reply that comes as it times out twice',
    till: lateReplyBooked,
    verdict: /the books have 3484, and 1742 were taken/,
  },
  {
    name: 'books an event that comes twice at once twice',
    till: bookedAtOnce,
    verdict: /the books have 3484, and 1742 were taken/,
  },
  {
    name: 'books a payment twice when its event comes as the page is shown',
    till: bookedBeside,
    verdict: /the books have 3484, and 1742 were taken/,
  },
  { name: 'hears of payments by events alone', till: waitsForEvents, verdict: TAKEN_AND_NOT_PAID },
  {
    name: 'takes a reply for the money',
    till: replyBooked,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'bank.authorisation', what: 'declined' },
  },
  {
    name: 'books a refund that is accepted',
    till: refundBooked,
    verdict: /the shop has refunded 17\.42 GBP of the order order-1, and 0\.00 GBP went back/,
    only: { at: 'bank.settlement', what: 'failed' },
  },
  {
    name: 'books a payout that is requested',
    till: payoutBooked,
    verdict: /the shop has paid out/,
    only: { at: 'bank.payout', what: 'refused' },
  },
  {
    name: 'takes a renewal for paid that its customer has to authenticate',
    till: renewalBooked,
    verdict: /the books have 3484, and 1742 were taken/,
    only: { at: 'bank.renewal', what: 'authentication-required' },
  },
  {
    name: 'takes a dispute that is closed for won',
    till: closedDisputeWon,
    verdict: /0\.00 GBP of the order order-1 were charged back, and 17\.42 GBP were/,
    only: { at: 'bank.dispute', what: 'opposite' },
  },
  {
    name: 'acknowledges an event before it is booked',
    till: queuedInMemory,
    verdict: /the books have 0, and 1742 were taken/,
    only: { at: 'integrator', what: 'stop-after-webhook' },
  },
  {
    name: 'writes that an order is done before its amount',
    till: twoWrites,
    verdict: /the books have 0, and 1742 were taken/,
    only: { at: 'integrator', what: 'stop-in-wait' },
  },
  {
    name: 'asks for the last minute when it has started',
    till: asksLastMinute,
    verdict: /the books have 0, and 1742 were taken/,
    only: { at: 'integrator', downMs: 120_000 },
  },
  {
    name: 'acknowledges an event before it is written',
    till: acknowledgesFirst,
    verdict: /the books have 0, and 1742 were taken/,
    only: { at: 'integrator', what: 'stop-in-write' },
  },
  {
    name: 'forgets the ids of the events that it has booked',
    till: forgetsIds,
    verdict: /the books have 3484, and 1742 were taken/,
    only: { at: 'integrator', what: 'stop-after-write' },
  },
  {
    name: 'believes that a customer who does not return has not paid',
    till: waitsForReturn,
    verdict: TAKEN_AND_NOT_PAID,
    only: { at: 'integrator', process: 'browser' },
  },
  {
    name: 'charges an order again that it takes over',
    till: takesOver,
    verdict: /order-1 was charged 2 times/,
    only: { at: 'integrator', downMs: 120_000 },
  },
  {
    name: 'looks whether another has an order before it claims it',
    till: claimedByBoth,
    verdict: /order-1 was charged 2 times/,
    // Back as the other looks.
    only: { at: 'integrator', downMs: expect.closeTo(60_990, -2) },
  },
  {
    name: 'takes what it had begun off its list before it puts it back',
    till: takenOffFirst,
    verdict: TAKEN_AND_NOT_PAID,
    only: [
      { at: 'integrator', process: 'worker' },
      { at: 'integrator', process: 'worker' },
    ],
  },
  {
    name: 'sends a refund again by the code of its start',
    till: refundedAtStart,
    verdict: /the shop has refunded 5\.00 GBP of the order order-1, and 10\.00 GBP went back/,
  },
  {
    name: 'takes an order as paid in cash when nobody presents a card',
    till: cashAssumed,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'cardholder.card', what: 'leaves' },
  },
  {
    name: 'takes a payment for paid that fails with a code it does not know',
    till: knownFailures,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'cardholder.card', what: 'cancels' },
  },
  {
    name: 'lets a customer sign whose PIN is wrong',
    till: signatureTaken,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'cardholder.pin', what: 'wrong-pin' },
  },
  {
    name: 'takes a payment for paid that was not declined',
    till: undeclinedBooked,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'cardholder.challenge', what: 'leaves' },
  },
  {
    name: 'takes a failed authentication for a payment at its own risk',
    till: unauthenticatedBooked,
    verdict: PAID_AND_NOT_TAKEN,
    only: { at: 'cardholder.challenge', what: 'refuses' },
  },
];
