import { CUT_POINTS, type CutPointName, effectOf } from '../../../platform/faults/cut-points.ts';
import { FAULT_MEMBERS } from '../../../platform/faults/fault-members.ts';
import { faultLine } from '../../../platform/faults/fault-words.ts';
import { entriesOf } from '../../../../protocol/tables.ts';
import type { FaultName, FaultNames } from '../../view.ts';
import { fieldsOf, firstFaultAt, plannedFault, type FaultValues, type FieldProblem } from './fault-values.ts';
import { MemberField } from './member-field.tsx';

interface FaultFieldsProps {
  fault: FaultValues;
  name: string;
  /** What each field offers; nothing until it is known. */
  offered: FaultNames | undefined;
  /** What is wrong in a field of it. */
  problem: FieldProblem | undefined;
  change: (fault: FaultValues) => void;
  remove: (() => void) | undefined;
}

/** The fields of one fault, and what it does in words. */
export function FaultFields({ fault, name, offered, problem, change, remove }: FaultFieldsProps) {
  const { filters, numbers } = fieldsOf(fault);
  const namesOf: Partial<Record<keyof typeof FAULT_MEMBERS, readonly FaultName[]>> =
    offered?.[fault.at] ?? {};
  const fieldOf = (member: keyof typeof FAULT_MEMBERS) => (
    <MemberField
      key={member}
      {...FAULT_MEMBERS[member]}
      isNumber={'minimum' in FAULT_MEMBERS[member]}
      names={namesOf[member]}
      problem={problem?.member === member ? problem.text : undefined}
      value={fault[member] ?? ''}
      change={(value) => change({ ...fault, [member]: value })}
    />
  );
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
          {entriesOf(CUT_POINTS).map(([at, { title }]) => (
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
          {Object.keys(CUT_POINTS[fault.at].faults).map((what) => (
            <option key={what} value={what}>
              {what}: {effectOf(fault.at, what).replaceAll('`', '')}
            </option>
          ))}
        </select>
      </label>
      {filters.map(fieldOf)}
      <div class="plan-fields">{numbers.map(fieldOf)}</div>
      <p role="status" class="fault-summary">
        {faultLine(plannedFault(fault, true))}
      </p>
    </fieldset>
  );
}
