import type { Drill } from './drill.ts';
import * as online from './plays/online-plays.ts';
import * as standAlone from './plays/stand-alone-plays.ts';
import * as terminal from './plays/terminal-plays.ts';
import * as webhook from './plays/webhook-plays.ts';

const SELL = 'sell something for order-1 on the terminal';
const SELL_STAND_ALONE =
  'sell something for order-1 on the terminal, which has a stand-alone payment terminal beside it';
const SELL_ONLINE = 'sell something for order-1 online';
const PAYMENT = 'POST /v1/in-person/terminals/{id}/payment';
const CANCEL = 'POST /v1/in-person/terminals/{id}/cancel-action';
const SESSION = 'GET /v1/payment-sessions/{paymentSessionId}';
const ATTEMPT = 'POST /v1/payment-sessions/attempt-payment';
const REFUND = 'POST /v1/payment-sessions/{paymentSessionId}/refunds';

/** All drills by name, in the order of the list: at a terminal, online, webhooks. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  'lost-result': {
    title: 'The result of a payment is lost',
    group: 'terminal',
    onTerminal: true,
    story:
      'The card is charged, but the request that asks for the result fails. The till shows an error, the customer has paid, and nobody knows.',
    faults: [{ at: 'api.reply', what: 'reset', when: { operation: SESSION } }],
    wrong: 'takes a request that failed for a payment that failed',
    right: 'asks again until it is told how the payment ended, also after a restart',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.lostResult,
  },
  'lost-reply': {
    title: 'The reply to a payment is lost, and it is sent again',
    group: 'terminal',
    onTerminal: true,
    story:
      'The terminal has begun the payment when the connection breaks. The till hears nothing and sends it again: the customer taps twice, and pays twice.',
    faults: [{ at: 'api.reply', what: 'reset', when: { operation: PAYMENT } }],
    wrong: 'sends the payment again as a new one',
    right: 'looks for a payment with the order in its metadata, and sends it again only when there is none',
    page: 'lost-replies.md',
    task: SELL,
    play: terminal.lostReply,
  },
  'server-unavailable': {
    title: 'The provider replies 503 while a payment is made',
    group: 'terminal',
    onTerminal: true,
    story:
      'The payment goes well, but the till gets 503 when it asks for the result. It begins a new payment, and the customer pays twice.',
    faults: [{ at: 'api.request', what: 'unavailable', when: { operation: SESSION } }],
    wrong: 'begins a new payment when it cannot learn how the first one ended',
    right: 'asks again for the first one; a new one begins only once that has failed',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.serverUnavailable,
  },
  'cancel-race': {
    title: 'A payment is cancelled as the customer taps',
    group: 'terminal',
    onTerminal: true,
    story:
      'The cashier presses Cancel, but the request arrives after the card was charged, and is refused. The till shows "cancelled" all the same.',
    faults: [{ at: 'api.request', what: 'delay', when: { operation: CANCEL }, delayMs: 3_000 }],
    wrong: 'believes that what it cancels is cancelled',
    right: 'reads the payment after the cancellation, and books what became of it',
    page: 'in-person-payments.md',
    task: 'begin a payment for order-1 on the terminal, and cancel it at once',
    play: terminal.cancelRace,
  },
  'wrong-payment-cancelled': {
    title: 'A late cancellation ends the next payment',
    group: 'terminal',
    onTerminal: true,
    story:
      'The cancellation of one payment is on its way for seconds. Meanwhile the next customer pays, and it is this payment that is cancelled, after the goods were handed out.',
    faults: [
      { at: 'api.request', what: 'delay', when: { operation: CANCEL }, delayMs: 4_000 },
      {
        at: 'message.report',
        what: 'delay',
        when: { message: 'action.completed' },
        delayMs: 4_000,
      },
    ],
    wrong:
      'starts the next payment before it knows that the cancellation is done, and takes "approved" for paid',
    right: 'waits for the reply to the cancellation, and hands out the goods when the payment is captured',
    page: 'in-person-payments.md',
    task: 'begin a payment for order-1 on the terminal, cancel it, and sell something for order-2',
    play: terminal.wrongPaymentCancelled,
  },
  'late-approval': {
    title: 'The approval comes after the till has given up',
    group: 'terminal',
    onTerminal: true,
    story:
      'The bank takes its time. The till stops waiting, the customer pays cash, and a moment later the card is charged too.',
    faults: [{ at: 'message.report', what: 'delay', when: { message: 'action.authorise' }, delayMs: 3_000 }],
    wrong: 'stops waiting, and leaves the payment to itself',
    right: 'cancels the payment when it stops waiting, and then reads how it ended',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.lateApproval,
  },
  'power-cut': {
    title: 'The terminal loses its power while it prints',
    group: 'terminal',
    onTerminal: true,
    story:
      'The card is charged, then the screen of the terminal is dark. The cashier takes cash. The terminal starts again and completes the payment.',
    faults: [{ at: 'terminal.state', what: 'power-cut', when: { state: 'printing' }, delayMs: 3_000 }],
    wrong: 'takes a terminal that is off for a payment that failed',
    right: 'waits for the end of the action, which comes whether or not the terminal returns',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.terminalGone,
  },
  'network-down': {
    title: 'The network is down while the card is authorised',
    group: 'terminal',
    onTerminal: true,
    story:
      'The terminal has read the card when the network fails. The cashier takes cash. The network returns, and the terminal completes the payment.',
    faults: [{ at: 'terminal.state', what: 'network-down', when: { state: 'authorising' }, delayMs: 3_000 }],
    wrong: 'takes a terminal that is offline for a payment that failed',
    right: 'waits for the end of the action, or cancels it and reads how it ended',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.terminalGone,
  },
  'paper-out': {
    title: 'There is no paper for the receipt',
    group: 'terminal',
    onTerminal: true,
    story:
      'The payment succeeds, but no receipt comes out of the terminal. The cashier thinks that it failed, and takes it again.',
    faults: [{ at: 'terminal.state', what: 'paper-out', when: { state: 'awaitingCard' } }],
    wrong: 'takes a missing receipt for a missing payment',
    right: 'looks at the payment, not at the paper: it is captured, and the receipt can be sent',
    page: 'in-person-payments.md',
    task: SELL,
    play: terminal.paperOut,
  },
  'receipt-not-confirmed': {
    title: 'The confirmation of a printed receipt is lost',
    group: 'terminal',
    onTerminal: true,
    story:
      'The till prints the receipts itself. The request that confirms a copy is lost, and a minute later the payment is voided: the goods are gone, and no money came.',
    faults: [
      {
        at: 'api.request',
        what: 'reset',
        when: { operation: 'POST /v1/in-person/terminals/{id}/confirm-receipt' },
      },
    ],
    wrong: 'takes "approved" for paid, and does not look at the reply to its confirmation',
    right:
      'reads the terminal, sends the confirmation again while it is missing, and waits until the payment is captured',
    page: 'in-person-payments.md',
    task: 'sell something for order-1 on the terminal, and print its receipts at the till',
    play: terminal.receiptNotConfirmed,
  },
  'unknown-outcome': {
    title: 'Nobody knows whether the payment terminal has charged the card',
    group: 'terminal',
    onTerminal: true,
    twin: 'caisse-ap',
    settledAs: 'Charged',
    story:
      'The card is charged when the line to the payment terminal breaks, and this one cannot be asked afterwards. The payment stays InProgress. The cashier begins it again until it is taken: the customer pays twice.',
    faults: [{ at: 'device.charged', what: 'cut' }],
    wrong: 'takes a payment that does not end for one that failed, and begins it again until it is accepted',
    right:
      'begins no other payment and takes no cash while it is InProgress, and books what it is once somebody has looked it up in the journal of the terminal',
    page: 'readers/stand-alone.md',
    task: SELL_STAND_ALONE,
    play: standAlone.unknownOutcome,
  },
  'answer-after-giving-up': {
    title: 'The payment terminal answers after the till has given up',
    group: 'terminal',
    onTerminal: true,
    twin: 'nexo',
    story:
      'The card is charged, and the answer of the payment terminal does not come. The till stops waiting and cancels, but nobody can cancel what such a terminal has. The customer pays cash, and the charge comes to light a moment later.',
    faults: [{ at: 'device.charged', what: 'delay', delayMs: 8_000 }],
    wrong: 'takes a cancellation that is refused for one that is done, and forgets the payment',
    right:
      'keeps a payment that it cannot cancel as open, books it when it is captured, and gives the cash back',
    page: 'readers/stand-alone.md',
    task: SELL_STAND_ALONE,
    play: standAlone.answerAfterGivingUp,
  },
  'reversed-approval': {
    title: 'The payment terminal approves, and the payment is reversed',
    group: 'terminal',
    onTerminal: true,
    twin: 'zvt',
    story:
      'The cashier sees "approved" on the payment terminal and hands out the goods. The line had broken before the till heard of it, so the payment was reversed: the goods are gone, and no money came.',
    faults: [{ at: 'device.charged', what: 'cut' }],
    wrong: 'takes what the payment terminal shows for the end of the payment',
    right: 'hands out the goods when the payment is captured, and takes it again when it has failed',
    page: 'readers/stand-alone.md',
    task: SELL_STAND_ALONE,
    play: standAlone.reversedApproval,
  },
  'double-submit': {
    title: 'The customer presses Pay twice',
    group: 'online',
    onTerminal: false,
    story:
      'The page shows nothing for two seconds, and the customer presses Pay again. Each press is a payment of its own.',
    faults: [{ at: 'api.reply', what: 'delay', when: { operation: ATTEMPT }, delayMs: 2_000 }],
    wrong: 'creates a payment session at each press',
    right:
      'stores that the order is being paid before it sends anything, so that both presses are one payment',
    page: 'lost-replies.md',
    task: `${SELL_ONLINE}, and press Pay twice`,
    play: online.doubleSubmit,
  },
  'payment-unavailable': {
    title: 'The provider replies 503 to a payment',
    group: 'online',
    onTerminal: false,
    story:
      'The provider is not available. The shop looks for a decline in the reply, finds none, and ships goods that nobody has paid.',
    faults: [{ at: 'api.request', what: 'unavailable', when: { operation: ATTEMPT } }],
    wrong: 'takes every reply that is no decline for a payment',
    right:
      'takes an order for paid only when the payment is captured, and sends the request again while it is not paid',
    page: 'online-payments.md',
    task: SELL_ONLINE,
    play: online.paymentUnavailable,
  },
  'forgotten-capture': {
    title: 'An approved payment is never captured',
    group: 'online',
    onTerminal: false,
    story:
      'The shop captures when it ships. The request does not arrive, the error goes into a log, and a week later the approval has ended: the goods are gone, and no money came.',
    faults: [
      {
        at: 'api.request',
        what: 'reset',
        when: { operation: 'POST /v1/payment-sessions/{paymentSessionId}/captures' },
      },
    ],
    wrong: 'does not notice that the capture failed',
    right: 'reads the payment, and sends the capture again while it is not captured',
    page: 'online-payments.md',
    task: `${SELL_ONLINE} with captureFlow Manual, and capture it`,
    play: online.forgottenCapture,
  },
  'refund-twice': {
    title: 'The reply to a refund is lost, and it is sent again',
    group: 'online',
    onTerminal: false,
    story:
      'The refund is done when the connection breaks. The shop hears nothing and sends it again: twice the money goes back.',
    faults: [{ at: 'api.reply', what: 'reset', when: { operation: REFUND } }],
    wrong: 'sends the refund again as a new one',
    right: 'reads the transactions of the payment, and sends the refund again only when it is not there',
    page: 'lost-replies.md',
    task: `${SELL_ONLINE}, and refund a part of it`,
    play: online.refundTwice,
  },
  'rate-limited': {
    title: 'A refund is refused: too many requests',
    group: 'online',
    onTerminal: false,
    story:
      'On a busy day the provider replies 429 to a refund. The shop tells the customer that the money is on its way, and it never comes.',
    faults: [{ at: 'api.request', what: 'rate-limited', when: { operation: REFUND } }],
    wrong: 'does not look at the status of the reply',
    right: 'waits as Retry-After says, and sends the refund again',
    page: 'troubleshooting.md',
    task: `${SELL_ONLINE}, and refund a part of it`,
    play: online.rateLimited,
  },
  'duplicate-webhook': {
    title: 'An event is delivered twice',
    group: 'webhooks',
    onTerminal: false,
    story:
      'The event about a payment comes twice, as events do. The shop books it twice, and its takings are higher than its money.',
    faults: [{ at: 'webhook.attempt', what: 'twice', when: { eventType: 'PaymentSession.captured' } }],
    wrong: 'books whatever it receives',
    right: 'remembers the ids of the events that it has handled',
    page: 'webhooks.md',
    task: SELL_ONLINE,
    play: webhook.duplicateWebhook,
  },
  'duplicate-webhook-at-once': {
    title: 'An event is delivered twice at the same moment',
    group: 'webhooks',
    onTerminal: false,
    story:
      'The event about a payment comes twice at once. The shop has not handled it when it looks, either time, and books it twice.',
    faults: [
      { at: 'webhook.attempt', what: 'twice-at-once', when: { eventType: 'PaymentSession.captured' } },
    ],
    wrong: 'looks whether it has handled the event, books it, and then remembers its id',
    right: 'remembers the id before it books, so that the second of two at once finds it',
    page: 'webhooks.md',
    task: SELL_ONLINE,
    play: webhook.duplicateWebhookAtOnce,
  },
  'webhook-out-of-order': {
    title: 'Events come in another order than they happened',
    group: 'webhooks',
    onTerminal: false,
    story:
      'The event "approved" comes after "captured". The shop sets the order to what came last: not yet paid, and never shipped.',
    faults: [
      {
        at: 'webhook.attempt',
        what: 'out-of-order',
        when: { eventType: 'PaymentSession.approved' },
        delayMs: 5_000,
      },
    ],
    wrong: 'believes that the event that comes last happened last',
    right: 'takes an event as a sign to read the payment',
    page: 'webhooks.md',
    task: SELL_ONLINE,
    play: webhook.webhookOutOfOrder,
  },
  'webhook-before-reply': {
    title: 'An event comes before the reply',
    group: 'webhooks',
    onTerminal: true,
    story:
      'The event that a payment is captured arrives before the reply that has its id. The shop knows no such payment and forgets the event.',
    faults: [{ at: 'api.reply', what: 'delay', when: { operation: PAYMENT }, delayMs: 5_000 }],
    wrong: 'finds orders only by the id in a reply',
    right: 'finds the order by the metadata of the payment, which it set before it sent anything',
    page: 'webhooks.md',
    task: SELL,
    play: webhook.webhookBeforeReply,
  },
  'late-webhook': {
    title: 'An event comes minutes late',
    group: 'webhooks',
    onTerminal: false,
    story:
      'The endpoint is not reached at first, and the event comes with a later attempt. By then the shop has cancelled the order that is paid.',
    faults: [
      {
        at: 'webhook.attempt',
        what: 'dropped',
        when: { eventType: 'PaymentSession.captured', times: 3 },
      },
    ],
    wrong: 'takes silence for a payment that failed',
    right: 'asks for the payment when no event comes',
    page: 'webhooks.md',
    task: SELL_ONLINE,
    play: webhook.lateWebhook,
  },
  'dispute-while-away': {
    title: 'A dispute is opened, and nobody hears of it in time',
    group: 'webhooks',
    onTerminal: false,
    story:
      'A customer disputes a payment. The event is not delivered at once, nobody looks at the list, and after 14 days the money is gone.',
    faults: [{ at: 'webhook.attempt', what: 'dropped', when: { eventType: 'Dispute.created', times: 3 } }],
    wrong: 'learns of disputes by events alone',
    right: 'asks for open disputes each day, and answers before respondBy',
    page: 'online-payments.md',
    task: `${SELL_ONLINE}; then open a dispute with 'tapbench disputes open' and answer it`,
    days: 14,
    play: webhook.disputeWhileAway,
  },
};
