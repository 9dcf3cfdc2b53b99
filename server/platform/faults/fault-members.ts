/** How long a fault that takes time lasts unless it says otherwise. */
export const DEFAULT_DELAY_MS = 5_000;

/** What a fault can ask for of an occurrence. */
export type Filter = TextFilter | 'untilAttempt';
export type TextFilter = 'operation' | 'message' | 'state' | 'effect' | 'eventType' | 'id';

/** A member of `when` that names something that the sandbox knows beforehand. */
export type NameFilter = Exclude<TextFilter, 'id'>;

/** The members that are numbers. */
export type NumberMember = 'untilAttempt' | 'nth' | 'times' | 'forMs' | 'percent' | 'delayMs';

/** A member of a fault, besides where it strikes and what happens. */
interface FaultMember {
  /** Its name for people. */
  label: string;
  /** What it is, in words that an example can follow. */
  text: string;
  example: string;
}

interface FaultNumber extends FaultMember {
  minimum: number;
  maximum: number;
}

/** How often a fault can strike. Each strike is stored. */
export const TIMES_MAX = 10_000;

/**
 * Every member of a fault besides `at` and `what`. The schema of the API, the documents and the form of the dashboard are written
 * from this table.
 */
export const FAULT_MEMBERS: Record<TextFilter, FaultMember> & Record<NumberMember, FaultNumber> = {
  operation: {
    label: 'Operation',
    text: 'Operation, as the reference of the API names it',
    example: 'POST /v1/payment-sessions',
  },
  message: { label: 'Message', text: 'Name of the message', example: 'action.completed' },
  state: { label: 'State', text: 'State of the machine', example: 'awaitingPin' },
  effect: {
    label: 'Effect',
    text: 'Effect of the machine of a terminal',
    example: 'printCustomerCopy',
  },
  eventType: { label: 'Event type', text: 'Type of the event', example: 'PaymentSession.captured' },
  id: {
    label: 'Id',
    text: 'Id of an object that it concerns: a terminal, a payment session, a webhook endpoint or another',
    example: 'tml_...',
  },
  untilAttempt: {
    label: 'Before attempt',
    text: 'Only the attempts of an event before this one: with 3, `dropped` lets each event arrive at its third attempt',
    example: '3',
    minimum: 2,
    // The schedule of an event has seven attempts.
    maximum: 8,
  },
  nth: {
    label: 'From occurrence',
    text: 'Number of the first occurrence that it can strike, counted from 1; 1 by default',
    example: '1',
    minimum: 1,
    maximum: 1_000_000,
  },
  times: {
    label: 'Times',
    text: 'Number of times that it strikes; 1 by default, and with `forMs` as often as it can in that time',
    example: '1',
    minimum: 1,
    maximum: TIMES_MAX,
  },
  forMs: {
    label: 'For, ms',
    text: 'Number of milliseconds, time of the sandbox, for which it strikes: from its first strike, as an outage that ends',
    example: '60000',
    minimum: 1,
    maximum: 7 * 86_400_000,
  },
  percent: {
    label: 'Percent',
    text: 'How likely it strikes an occurrence, in percent; 100 by default. The seed of the plan decides which',
    example: '100',
    minimum: 1,
    maximum: 100,
  },
  delayMs: {
    label: 'Delay, ms',
    text: 'Number of milliseconds for faults that take time; 5000 by default. Real time on a server, virtual time in a test world. `delay` and `out-of-order` of a webhook attempt wait on the time of the sandbox, which advancing the clock shortens',
    example: String(DEFAULT_DELAY_MS),
    minimum: 0,
    maximum: 86_400_000,
  },
};
