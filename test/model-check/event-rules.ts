import { pathOf, type StoredSnapshot, type TerminalInput } from './terminal-model.ts';

type Stored = Pick<StoredSnapshot, 'value' | 'context'>;

/** The code with which a terminal gives up, by the event. */
const REASONS: Record<string, string> = {
  'cancel.pressed': 'cancelled_on_terminal',
  'reader.failed': 'unexpected_error',
  'card.declined': 'card_declined',
  'device.declined': 'card_declined',
  'card.refused': 'card_declined',
  deadline: 'timeout',
};

const BEFORE_ISSUER = /^(awaitingCard|reading|awaitingPin|verifyingPin)$/;
const WITH_ISSUER = /^(authorising|completingCard)$/;
const LAST_CARD = 2;

/** Returns the properties that an event at a terminal has broken, with the action before and after it. */
export function rulesOfEvents(
  { isDormant, ...before }: Stored & { isDormant: boolean },
  after: Stored,
  input: TerminalInput,
): string[] {
  const event = isDormant && input.type === 'online' ? 'powerReturned' : eventOf(input);
  const [from, to] = [pathOf(before.value), pathOf(after.value)];
  const broken: string[] = [];
  if (!givesUpRightly({ from, to, event }, before, after)) broken.push('givesUp');
  if (!countsCards({ from, to, event }, before, after)) broken.push('givesUp');
  if (!printsOn({ from, to, event }, input)) broken.push('copiesCounted');
  if (failedCopies(before, event, from, input) !== after.context.failedCopies.join())
    broken.push('copiesCounted');
  if (input.type === 'event' && input.event.type === 'card.read' && BEFORE_ISSUER.test(from)) {
    const next = input.event.pin === 'pin' ? 'awaitingPin' : 'authorising';
    if (to !== next) broken.push('asksPin');
  }
  return broken;
}

function eventOf(input: TerminalInput): string {
  if (input.type === 'event') return input.event.type;
  return input.type === 'timer' ? input.timer : input.type;
}

interface Move {
  from: string;
  to: string;
  event: string;
}

function givesUpRightly({ from, to, event }: Move, before: Stored, after: Stored): boolean {
  const reason = reasonOf(from, event, before);
  const gaveUp = from !== to && (to === 'abandoning' || to === 'reversing');
  if (reason === undefined) return !gaveUp;
  return gaveUp && (to === 'abandoning') === BEFORE_ISSUER.test(from) && after.context.code === reason;
}

/** Returns the code with which a terminal must give up; undefined if it must not. */
function reasonOf(from: string, event: string, { context }: Stored): string | undefined {
  const begun = BEFORE_ISSUER.test(from);
  if (begun && (event === 'card.unreadable' || event === 'card.removed'))
    return context.unreadableCards >= LAST_CARD ? 'bad_track_data' : undefined;
  if (from === 'completingCard' && event === 'card.removed') return 'card_declined';
  // Whether the card has completed is not known after a power cut.
  if (from === 'completingCard' && event === 'powerReturned') return 'unexpected_error';
  const approved = event === 'reader.failed' && from.startsWith('approved.');
  return begun || WITH_ISSUER.test(from) || approved ? REASONS[event] : undefined;
}

/** Whether each unreadable card is counted. */
function countsCards({ from, to, event }: Move, before: Stored, after: Stored): boolean {
  const isUnreadable = event === 'card.unreadable' || event === 'card.removed';
  if (!BEFORE_ISSUER.test(from) || !isUnreadable || to === 'abandoning') return true;
  return to === 'awaitingCard' && after.context.unreadableCards === before.context.unreadableCards + 1;
}

function isEndOfCopy(event: string): boolean {
  return event === 'copy.printed' || event === 'copy.failed';
}

/** The copy that a terminal waits for. */
function printing(from: string): string | undefined {
  return /^approved\.printing\.(.*)$/.exec(from)?.[1];
}

/** Whether the terminal goes on once the copy that it waits for is printed, or is not, and only then. */
function printsOn({ from, to, event }: Move, input: TerminalInput): boolean {
  if (!printing(from) || !isEndOfCopy(event)) return true;
  return (copyOf(input) === printing(from)) === (from !== to);
}

function failedCopies({ context }: Stored, event: string, from: string, input: TerminalInput): string {
  const copy = printing(from);
  const isFailed = copy && (event === 'deadline' || (event === 'copy.failed' && copyOf(input) === copy));
  return [...context.failedCopies, ...(isFailed ? [copy] : [])].join();
}

function copyOf(input: TerminalInput): string | undefined {
  return input.type === 'event' && 'copy' in input.event ? input.event.copy : undefined;
}
