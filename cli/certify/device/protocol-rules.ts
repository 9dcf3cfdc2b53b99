/** A rule of docs/protocol.md that a terminal has to keep. */
interface ProtocolRule {
  /** What a terminal does, in one sentence. */
  text: string;
  /** Why no case can show it; undefined where one does. */
  untried?: string;
}

const NO_SECOND_BANK =
  'only a payment terminal that authorises at its own bank has reversals and unknown outcomes';

/** Every rule that a terminal has to keep, by the id that docs/protocol.md has beside its sentence. */
export const PROTOCOL_RULES = {
  'protocol.connect.clean-session': {
    text: 'It connects with a clean session.',
    untried: 'the brokers keep nothing for a terminal that is away, whatever session it asks for',
  },
  'protocol.connect.client-id': {
    text: 'Its client id is its user name.',
    untried: 'a broker does not let it connect otherwise, so each case shows it',
  },
  'protocol.topics.declared': { text: 'It sends only reports that are declared, as they are declared.' },
  'protocol.topics.retained': {
    text: 'Only `presence` and `machine.described` are retained.',
  },
  'protocol.commands.unknown': {
    text: 'It ignores a command that it does not know, and one that is not valid.',
  },
  'protocol.commands.members': {
    text: 'In a command that it knows it ignores a member that it does not know, also a long one.',
  },
  'protocol.commands.other-action': {
    text: 'A command about another action than that of its journal has no effect.',
  },
  'protocol.presence.will': { text: 'Its last will says that it is offline.' },
  'protocol.presence.on-connect': {
    text: 'After each connect it publishes `presence` first, and then `action.inquired`.',
  },
  'protocol.presence.no-card-data': { text: 'What it shows of itself contains no card number and no PIN.' },
  'protocol.presence.request': { text: 'It publishes `presence` again when the server asks for it.' },
  'protocol.presence.no-stale-will': {
    text: 'It sends DISCONNECT before it closes a connection that it gives up.',
    untried: 'only a broker that does not acknowledge makes a terminal give its connection up',
  },
  'protocol.presence.disconnect': {
    text: 'It publishes that it is offline before a clean disconnect.',
    untried: 'many devices have no other end than that of their power',
  },
  'protocol.reconnect.soon': { text: 'It reconnects by itself, within seconds.' },
  'protocol.reconnect.rejected': {
    text: 'It tries again, less often, while its credentials are rejected.',
  },
  'protocol.reconnect.no-queue': { text: 'It does not queue messages while it is offline.' },
  'protocol.clock.offset': { text: 'It adds the offset of the sandbox to its own clock.' },
  'protocol.start.expired': { text: 'It ignores a start that arrives after it has expired.' },
  'protocol.start.replaces': { text: 'A start for another action replaces the current one.' },
  'protocol.start.twice': {
    text: 'A start that arrives twice does not start twice, nor is it accepted twice.',
  },
  'protocol.accept.journal': { text: 'It saves its journal, and then accepts the action.' },
  'protocol.card.deadline': { text: 'The cardholder has `presentCardMs` from the start.' },
  'protocol.card.authorise': { text: 'It asks for the authorisation once the card is read.' },
  'protocol.card.verification': {
    text: 'It verifies the cardholder as the card requires, and says how.',
  },
  'protocol.card.masked': {
    text: 'Only the BIN and the last four digits of a card number leave it, and never the PIN.',
  },
  'protocol.card.pin-deadline': {
    text: 'The cardholder has 60 s for the PIN, and again after a wrong one.',
  },
  'protocol.card.removed': {
    text: 'A chip card that is taken out before its PIN is verified counts as one that cannot be read.',
  },
  'protocol.card.pin-failed': { text: 'It says `PinFailed` when no PIN tries are left.' },
  'protocol.decision.declined': { text: 'After a decline it ends the action, without a receipt.' },
  'protocol.decision.late': {
    text: 'A late authorisation has no effect: it takes the end of the action for its answer.',
  },
  'protocol.receipt.ready': { text: 'After an approval it sends both copies of the receipt, with fields.' },
  'protocol.receipt.terminal': {
    text: 'Where it prints, it prints both copies and then completes the action.',
  },
  'protocol.receipt.failed-copies': { text: 'It lists the copies that could not be printed.' },
  'protocol.receipt.again': { text: 'It sends the receipt again when it completes the action.' },
  'protocol.receipt.point-of-sale': {
    text: 'Where the point of sale prints, it waits until both copies are confirmed.',
  },
  'protocol.end.journal': { text: 'It clears its journal when the action has ended, and not before.' },
  'protocol.abandon.timeout': {
    text: 'It gives up with `timeout` when no card or no PIN comes in time.',
  },
  'protocol.abandon.cancelled': {
    text: 'It gives up with `cancelled_on_terminal` when the cardholder cancels.',
  },
  'protocol.abandon.unreadable': {
    text: 'It gives up with `bad_track_data` at the third card that cannot be read.',
  },
  'protocol.abandon.declined': {
    text: 'It gives up with `card_declined` when the card itself declines.',
  },
  'protocol.abandon.reason': {
    text: 'The reason that it gives is one printable line, without card numbers, PINs and raw bytes.',
  },
  'protocol.cancel.release': {
    text: 'When the point of sale cancels, it releases the reader and waits for the end of the action.',
  },
  'protocol.seq.count': { text: 'It numbers its messages of an action from 1.' },
  'protocol.seq.journal': { text: 'Its journal keeps the numbers of both sides.' },
  'protocol.seq.repeat': { text: 'It drops a command that it has had.' },
  'protocol.seq.gap': { text: 'When a number is missing, it takes the command and then inquires.' },
  'protocol.seq.again': { text: 'A message that it sends again on purpose has a new number.' },
  'protocol.inquiry.first': {
    text: 'After a connect it inquires before any other message of an action.',
  },
  'protocol.inquiry.names-action': { text: 'Its inquiry names the action of its journal.' },
  'protocol.inquiry.empty': { text: 'With an empty journal its inquiry names no action.' },
  'protocol.report-request.state': {
    text: 'At `report.request` it inquires, and sends the report of its state.',
  },
  'protocol.report-request.unknown': {
    text: 'At `report.request` for an action that it does not know it inquires with `requestedActionId`.',
  },
  'protocol.report-request.ended': {
    text: 'It does so also for an action that it remembers to have ended.',
  },
  'protocol.start.again': {
    text: 'A start that comes again, with a new number, is answered by the report of its state.',
  },
  'protocol.authorise.again': {
    text: 'It asks for the authorisation again after 2 s, then after twice as long each time.',
  },
  'protocol.authorise.give-up': { text: 'It gives up when no decision comes within 30 s.' },
  'protocol.end.inquire': {
    text: 'While it waits for the end of the action it inquires after 15 s, then after twice as long each time.',
  },
  'protocol.reconnect.repeats': {
    text: 'After a reconnect it repeats the report whose answer it was waiting for.',
  },
  'protocol.power.once': {
    text: 'After a power cut terminal and server agree, and the money has moved once or not at all.',
  },
  'protocol.device.unsettled': {
    text: 'It reports that a payment terminal has the request, and whether its outcome is unknown.',
    untried: NO_SECOND_BANK,
  },
  'protocol.device.kept': {
    text: 'It keeps an action whose outcome is unknown until the server has ended it, and sends no request again.',
    untried: NO_SECOND_BANK,
  },
  'protocol.reversal.reported': { text: 'It reports what came of each reversal.', untried: NO_SECOND_BANK },
  'protocol.reversal.again': {
    text: 'It sends the report of a reversal again until it is recorded.',
    untried: NO_SECOND_BANK,
  },
} as const satisfies Record<string, ProtocolRule>;

export type ProtocolRuleId = keyof typeof PROTOCOL_RULES;
