import { useId } from 'preact/hooks';
import {
  CUT_POINTS,
  type CutPointName,
  type Filter,
  DEFAULT_DELAY_MS,
  takesTime,
} from '../../../platform/faults/cut-points.ts';
import { faultWords } from '../../../platform/faults/fault-words.ts';
import type { FaultNames, PlannedFault } from '../../view.ts';

interface FaultFieldsProps {
  fault: FaultValues;
  name: string;
  /** What each field offers; nothing until it is known. */
  offered: FaultNames | undefined;
  change: (fault: FaultValues) => void;
  remove: (() => void) | undefined;
}

/** The fields of one fault, and what it does in words. */
export function FaultFields({ fault, name, offered, change, remove }: FaultFieldsProps) {
  const { filters, numbers } = fieldsOf(fault);
  const namesOf: Partial<Record<Filter, readonly string[]>> = offered?.[fault.at] ?? {};
  const { which, what } = faultWords(plannedFault(fault));
  return (
    <fieldset class="detail-section fault-fields">
      <legend class="unseen">{name}</legend>
      <header>
        <h2>{name}</h2>
        {remove && (
          <button type="button" aria-label={`Remove ${name}`} onClick={remove}>
            Remove
          </button>
        )}
      </header>
      <label class="field">
        Where it strikes
        <select
          value={fault.at}
          onChange={(event) => change(firstFaultAt(event.currentTarget.value as CutPointName))}
        >
          {Object.entries(CUT_POINTS).map(([at, { title }]) => (
            <option key={at} value={at}>
              {at}: {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        What happens
        <select
          value={fault.what}
          onChange={(event) => change({ ...fault, what: event.currentTarget.value })}
        >
          {Object.keys(CUT_POINTS[fault.at].faults).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <div class="plan-fields">
        {filters.map((member) => (
          <TextField
            key={member}
            {...FILTER_FIELDS[member]}
            names={namesOf[member]}
            value={fault[member] ?? ''}
            change={(value) => change({ ...fault, [member]: value })}
          />
        ))}
        {numbers.map((member) => (
          <TextField
            key={member}
            {...NUMBER_FIELDS[member]}
            isNumber
            value={fault[member] ?? ''}
            change={(value) => change({ ...fault, [member]: value })}
          />
        ))}
      </div>
      <p role="status">
        It strikes {which}. {what}
      </p>
    </fieldset>
  );
}

interface TextFieldProps {
  label: string;
  placeholder: string;
  isNumber?: boolean;
  /** The names to choose from; any may be typed. */
  names?: readonly string[] | undefined;
  value: string;
  change: (value: string) => void;
}

function TextField({ label, placeholder, isNumber = false, names, value, change }: TextFieldProps) {
  const listId = useId();
  return (
    <label class="field">
      {label}
      <input
        type="text"
        class="mono"
        {...(isNumber && { inputMode: 'numeric', pattern: '[0-9]*', title: 'A whole number' })}
        {...(names && { list: listId })}
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {names && (
        <datalist id={listId}>
          {names.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}

const NUMBERS = ['nth', 'times', 'forMs', 'percent', 'delayMs'] as const;
type NumberName = (typeof NUMBERS)[number];

/** A fault as the form has it. An empty text is left out of the plan. */
export type FaultValues = { at: CutPointName; what: string } & Partial<Record<Filter | NumberName, string>>;

/** The fields that say which occurrences a fault strikes, besides their numbers. */
const FILTER_FIELDS: Record<Filter, { label: string; placeholder: string }> = {
  operation: { label: 'Operation', placeholder: 'POST /v1/payment-sessions' },
  message: { label: 'Message', placeholder: 'action.completed' },
  state: { label: 'State', placeholder: 'awaitingPin' },
  effect: { label: 'Effect', placeholder: 'printMerchantCopy' },
  eventType: { label: 'Event type', placeholder: 'PaymentSession.captured' },
  id: { label: 'Id', placeholder: 'tml_… ps_… wh_…' },
  untilAttempt: { label: 'Before attempt', placeholder: '3' },
};

const NUMBER_FIELDS: Record<NumberName, { label: string; placeholder: string }> = {
  nth: { label: 'From occurrence', placeholder: '1' },
  times: { label: 'Times', placeholder: '1' },
  forMs: { label: 'For, ms', placeholder: '60000' },
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
