import { useId } from 'preact/hooks';
import { CUT_POINTS, type CutPointName, type Filter } from '../../../platform/faults/cut-points.ts';
import { faultWords } from '../../../platform/faults/fault-words.ts';
import type { FaultNames } from '../../view.ts';
import {
  fieldsOf,
  FILTER_FIELDS,
  firstFaultAt,
  NUMBER_FIELDS,
  plannedFault,
  type FaultValues,
} from './new-fault.ts';

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
