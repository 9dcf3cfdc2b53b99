import {
  CUT_POINTS,
  DEFAULT_DELAY_MS,
  takesTime,
  type CutPointName,
  type Filter,
} from '../../../platform/faults/cut-points.ts';
import type { PlannedFault } from '../../view.ts';

const NUMBERS = ['nth', 'times', 'percent', 'delayMs'] as const;
type NumberName = (typeof NUMBERS)[number];

/** A fault as the form has it. An empty text is left out of the plan. */
export type FaultValues = { at: CutPointName; what: string } & Partial<Record<Filter | NumberName, string>>;

/** The fields that say which occurrences a fault strikes, besides their numbers. */
export const FILTER_FIELDS: Record<Filter, { label: string; placeholder: string }> = {
  operation: { label: 'Operation', placeholder: 'POST /v1/payment-sessions' },
  message: { label: 'Message', placeholder: 'action.completed' },
  state: { label: 'State', placeholder: 'awaitingPin' },
  effect: { label: 'Effect', placeholder: 'printMerchantCopy' },
  eventType: { label: 'Event type', placeholder: 'PaymentSession.captured' },
  id: { label: 'Id', placeholder: 'tml_… ps_… wh_…' },
  untilAttempt: { label: 'Before attempt', placeholder: '3' },
};

export const NUMBER_FIELDS: Record<NumberName, { label: string; placeholder: string }> = {
  nth: { label: 'From occurrence', placeholder: '1' },
  times: { label: 'Times', placeholder: '1' },
  percent: { label: 'Percent', placeholder: '100' },
  delayMs: { label: 'Delay, ms', placeholder: String(DEFAULT_DELAY_MS) },
};

/** Returns the first fault of a place, which strikes its next occurrence. */
export function firstFaultAt(at: CutPointName): FaultValues {
  return { at, what: Object.keys(CUT_POINTS[at].faults)[0]! };
}

/** Returns the names of the fields of a fault, in order: a delay where the fault takes time. */
export function fieldsOf({ at, what }: FaultValues): { filters: readonly Filter[]; numbers: NumberName[] } {
  return {
    filters: CUT_POINTS[at].filters,
    numbers: NUMBERS.filter((name) => name !== 'delayMs' || takesTime(at, what)),
  };
}

/** Returns the fault that the form describes. */
export function plannedFault(values: FaultValues): PlannedFault {
  const { at, what } = values;
  const { filters, numbers } = fieldsOf(values);
  const given = (name: Filter | NumberName) => values[name]?.trim() ?? '';
  const texts = filters
    .filter((name) => given(name) !== '')
    .map((name) => [name, name === 'untilAttempt' ? Number(given(name)) : given(name)]);
  const counts = numbers.filter((name) => given(name) !== '').map((name) => [name, Number(given(name))]);
  const { delayMs, ...when } = Object.fromEntries([...texts, ...counts]) as Record<string, never>;
  return {
    at,
    what,
    ...(Object.keys(when).length > 0 && { when }),
    ...(delayMs !== undefined && { delayMs }),
  };
}
