import { CUT_POINTS, type CutPointName, takesTime } from '../../../platform/faults/cut-points.ts';
import type { Filter, NumberMember } from '../../../platform/faults/fault-members.ts';
import type { FaultName, PlannedFault } from '../../view.ts';

const NUMBERS = ['nth', 'times', 'forMs', 'percent', 'delayMs'] as const satisfies NumberMember[];
type NumberName = (typeof NUMBERS)[number];

/** A fault as the form has it. An empty text is left out of the plan. */
export type FaultValues = { at: CutPointName; what: string } & Partial<Record<Filter | NumberName, string>>;

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

const WHOLE_NUMBER = /^\d+$/;

/**
 * Returns the fault that the form describes. What is no number stays a text, which the server refuses.
 * @param onlyValid leaves such texts out
 */
export function plannedFault(values: FaultValues, onlyValid = false): PlannedFault {
  const { at, what } = values;
  const { filters, numbers } = fieldsOf(values);
  const isNumber = (name: string) => name === 'untilAttempt' || NUMBERS.some((one) => one === name);
  const members = [...filters, ...numbers].flatMap((name): [string, string | number][] => {
    const text = values[name]?.trim() ?? '';
    if (text === '') return [];
    if (!isNumber(name)) return [[name, text]];
    if (WHOLE_NUMBER.test(text)) return [[name, Number(text)]];
    return onlyValid ? [] : [[name, text]];
  });
  const { delayMs, ...when } = Object.fromEntries(members) as Record<string, never>;
  return {
    at,
    what,
    ...(Object.keys(when).length > 0 && { when }),
    ...(delayMs !== undefined && { delayMs }),
  };
}

/** What is wrong in one field of the form. */
export interface FieldProblem {
  /** Index of the fault. */
  fault: number;
  /** Its field, such as `operation`. */
  member: string;
  text: string;
}

/** Returns the field that the refusal of a plan is about, with a sentence for it; undefined for a refusal of no field of a fault. */
export function fieldProblemOf(problem: string | undefined): FieldProblem | undefined {
  const [, index, member, words] = /^faults\.(\d+)(?:\.when)?\.(\w+) (.+)$/s.exec(problem ?? '') ?? [];
  if (index === undefined || member === undefined || words === undefined) return undefined;
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return { fault: Number(index), member, text: /[.?!]$/.test(text) ? text : `${text}.` };
}

/** Returns the names that have a text in them or in their sentences; all for no text, and once it is one of them. */
export function matchingNames(names: readonly FaultName[], typed: string): readonly FaultName[] {
  const part = typed.trim().toLowerCase();
  if (part === '' || names.some(({ name }) => name.toLowerCase() === part)) return names;
  const has = (text: string) => text.toLowerCase().includes(part);
  const byName = names.filter(({ name }) => has(name));
  return [...byName, ...names.filter(({ name, text }) => !has(name) && has(text))];
}
