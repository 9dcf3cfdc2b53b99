import type { Filter, TextFilter } from './fault-members.ts';

/** A place where a fault can strike. */
interface CutPoint {
  /** What happens there, as it is meant to. */
  title: string;
  /** What of an occurrence a fault can ask for, besides its number. */
  filters: readonly Filter[];
  /** The faults that can strike there, and what each does. */
  faults: Readonly<Record<string, string>>;
  /** Those of them that last for the `delayMs` of the fault. */
  lasting: readonly string[];
}

const MESSAGE_FAULTS = {
  lost: 'It never arrives.',
  delay: 'It arrives after `delayMs`.',
  twice: 'It arrives twice.',
  'out-of-order':
    'It arrives after the next message of the same terminal, or after `delayMs` if none follows.',
  'network-down':
    'It is lost, and so is every other message from and to its terminal for `delayMs`. A simulated terminal loses its network connection for that time.',
  'broker-away':
    'It is lost, and the broker is away for `delayMs`: the server and every terminal of the sandbox lose their connections and get them back.',
};

/** Faults that send a terminal what a later server may send, or one that is wrong. */
export const STRANGE_FAULTS = {
  'unknown-message': 'A message of a name that does not exist arrives before it.',
  'cut-message': 'A message of its name whose body has no end arrives before it.',
  'large-body': 'It has a further member of 50,000 characters.',
  'other-action': 'It arrives about an action that does not exist.',
  'report-request': 'A `report.request` for an action that does not exist arrives before it.',
  'presence-request': 'A `presence.request` arrives before it.',
} as const;

const LASTING_MESSAGE_FAULTS = ['delay', 'out-of-order', 'network-down', 'broker-away'] as const;

const LINE_FAULTS = {
  lost: 'It never arrives.',
  delay: 'It arrives after `delayMs`.',
  twice: 'It arrives twice.',
  split: 'It arrives in two parts.',
  corrupt: 'One of its bits is another.',
  cut: 'It never arrives, and the line closes.',
};

/** Every place where a fault can strike, with the faults that strike there. The documents are written from this table. */
export const CUT_POINTS = {
  'api.request': {
    title: 'A request of the API, before it is handled',
    filters: ['operation', 'id'],
    faults: {
      reset: 'The connection is closed. Nothing is done.',
      delay: 'It is handled after `delayMs`.',
      'rate-limited': 'The reply is 429. Nothing is done.',
      unavailable: 'The reply is 503. Nothing is done.',
    },
    lasting: ['delay'],
  },
  'api.reply': {
    title: 'The reply of the API to a request that succeeded, once its work is stored',
    filters: ['operation', 'id'],
    faults: {
      reset: 'The connection is closed instead. The work is done.',
      'no-reply': 'Nothing is sent, and the connection is closed after `delayMs`. The work is done.',
      delay: 'It is sent after `delayMs`.',
    },
    lasting: ['no-reply', 'delay'],
  },
  'message.command': {
    title: 'A message of the server to a terminal',
    filters: ['message', 'id'],
    faults: { ...MESSAGE_FAULTS, ...STRANGE_FAULTS },
    lasting: LASTING_MESSAGE_FAULTS,
  },
  'message.report': {
    title: 'A message of a terminal to the server',
    filters: ['message', 'id'],
    faults: MESSAGE_FAULTS,
    lasting: LASTING_MESSAGE_FAULTS,
  },
  'terminal.state': {
    title: 'A simulated terminal that enters a state of its machine',
    filters: ['state', 'id'],
    faults: {
      'power-cut': 'It loses its power, and gets it back after `delayMs`.',
      'network-down': 'It loses its network connection, and gets it back after `delayMs`.',
      'paper-out': 'Its printer has no paper until somebody adds some.',
      'reader-unplugged': 'Its card reader is gone, and is back after `delayMs`.',
    },
    lasting: ['power-cut', 'network-down', 'reader-unplugged'],
  },
  'terminal.effect': {
    title: 'An effect of the machine of a terminal that the process of the server simulates',
    filters: ['effect', 'id'],
    faults: {
      'power-cut-before': 'It loses its power before the effect, and gets it back after `delayMs`.',
      'power-cut-after':
        'It loses its power once the effect has ended, before its machine hears of that, and gets it back after `delayMs`.',
    },
    lasting: ['power-cut-before', 'power-cut-after'],
  },
  'device.message': {
    title:
      'A message of the stand-alone payment terminal beside a terminal that the process of the server simulates, on the line to it',
    filters: ['id'],
    faults: LINE_FAULTS,
    lasting: ['delay'],
  },
  'device.charged': {
    title:
      'The first such message once the bank of the payment terminal has approved: the card is charged, and nobody else knows',
    filters: ['id'],
    faults: LINE_FAULTS,
    lasting: ['delay'],
  },
  'server.commit': {
    title: 'A transaction of the store of the sandbox, about to begin',
    filters: [],
    faults: {
      delay: 'It begins after `delayMs`, and so does everything that the sandbox writes meanwhile.',
      'kill-before':
        'The server is killed before it, as by `kill -9`, and started again on its store. In test worlds, hunts, and a server that was started with `--killable`.',
      'kill-after':
        'The server is killed once it is committed, and started again on its store. In test worlds, hunts, and a server that was started with `--killable`.',
    },
    lasting: ['delay'],
  },
  'webhook.attempt': {
    title: 'An attempt to deliver an event to a webhook endpoint',
    filters: ['eventType', 'id', 'untilAttempt'],
    faults: {
      dropped: 'It is not sent. It counts as failed, and the schedule of attempts goes on.',
      delay: 'It is sent after `delayMs`. Later events do not wait for it.',
      twice: 'Once acknowledged, it is sent again.',
      'twice-at-once': 'It is sent twice, the second time without waiting for the reply to the first.',
      beside:
        'It is sent at the same time as the next event about its object to the same endpoint, or the next reply about its object, or after `delayMs` if there is none.',
      'out-of-order':
        'It is sent after the next event that the endpoint accepts, or after `delayMs` if there is none.',
      'slow-body':
        'Its body is sent in ten pieces over `delayMs` of real time. The endpoint then has its usual time to reply.',
      'wrong-secret': 'It is signed with another secret.',
      'cut-body': 'The second half of its body is missing.',
      unsigned: 'It has no signature.',
      'altered-body': 'A member is added to its body after it was signed.',
      'spaced-body':
        'Its JSON has other white space than usual. The signature is that of the bytes that are sent.',
      'large-body': 'Its body has a further member of 200,000 characters, and is signed with it.',
      'unknown-type':
        'Its type is one that does not exist, and it is signed so. It counts as failed, whatever the reply, and comes again by the schedule.',
    },
    lasting: ['delay', 'out-of-order', 'beside', 'slow-body'],
  },
  'bank.authorisation': {
    title: 'A payment or refund that the bank of a card is asked for, and would approve',
    filters: ['id'],
    faults: { declined: 'The bank declines it: `insufficient_funds`.' },
    lasting: [],
  },
  'bank.renewal': {
    title: 'A charge of a stored card for a later cycle of a subscription, which its bank would approve',
    filters: ['id'],
    faults: {
      'authentication-required':
        'The bank wants its cardholder to authenticate: it declines this payment with `3ds_authentication_required`, at each retry too, until the customer pays the latest session of the subscription, where 3-D Secure asks. Later cycles are charged as usual.',
    },
    lasting: [],
  },
  'bank.settlement': {
    title: 'A capture, a void or a refund that was requested through the API, and is accepted',
    filters: ['operation', 'id'],
    faults: {
      failed: 'It is Pending, and fails two seconds later, by the time of the sandbox. No money moves.',
    },
    lasting: [],
  },
  'bank.payout': {
    title: 'A payout that the bank is about to make',
    filters: ['id'],
    faults: {
      refused:
        'The bank refuses it: it fails, its money returns to the balance, and its payout method becomes Invalid.',
    },
    lasting: [],
  },
  'bank.dispute': {
    title:
      'A challenged dispute that is about to be decided, by its evidence or by `POST /sandbox/disputes/{id}/outcome`',
    filters: ['id'],
    faults: { opposite: 'It is decided the other way: Lost in place of Won, or Won in place of Lost.' },
    lasting: [],
  },
  'cardholder.card': {
    title: 'A cardholder who presents a card to a terminal that the process of the server simulates',
    filters: ['id'],
    faults: {
      leaves: 'The cardholder leaves before presenting a card: the action ends at its deadline.',
      cancels: 'The cardholder presses Cancel in place of presenting a card.',
    },
    lasting: [],
  },
  'cardholder.pin': {
    title: 'A cardholder who types a PIN at a terminal that the process of the server simulates',
    filters: ['id'],
    faults: {
      'wrong-pin': 'The cardholder types a wrong PIN. The card takes three of them.',
    },
    lasting: [],
  },
  'cardholder.challenge': {
    title:
      'A cardholder who approves an online payment that 3-D Secure asks for, on the page of the issuer or by `POST /sandbox/payment-sessions/{id}/authentication`',
    filters: ['id'],
    faults: {
      leaves: 'The cardholder leaves without an answer: the payment stays PendingAction.',
      refuses: 'The cardholder cancels: the payment is declined with `3ds_authentication_failure`.',
    },
    lasting: [],
  },
} as const satisfies Record<string, CutPoint>;

export type CutPointName = keyof typeof CUT_POINTS;

/** A name that a fault can ask for, with what it names in a sentence; empty where nothing is to be said. */
export interface FaultName {
  name: string;
  text: string;
}

/** The names that a fault can ask for, by its place and member of `when`. */
export type FaultNames = Record<CutPointName, { readonly [Name in TextFilter]?: readonly FaultName[] }>;

/** The faults that can strike at a place. */
export type FaultAt<P extends CutPointName> = keyof (typeof CUT_POINTS)[P]['faults'];

/** Returns what a fault of a place does, in a sentence of the documents. */
export function effectOf(at: CutPointName, what: string): string {
  const { faults }: { faults: Readonly<Record<string, string>> } = CUT_POINTS[at];
  return faults[what] ?? what;
}

/** Returns whether a fault lasts for its `delayMs`. */
export function takesTime(at: CutPointName, what: string): boolean {
  const lasting: readonly string[] = CUT_POINTS[at].lasting;
  return lasting.includes(what);
}
