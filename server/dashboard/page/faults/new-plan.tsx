import { useState, useEffect } from 'preact/hooks';
import type { FaultPlan, FaultNames } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { FaultFields } from './fault-fields.tsx';
import {
  fieldProblemOf,
  firstFaultAt,
  plannedFault,
  type FaultValues,
  type FieldProblem,
} from './fault-values.ts';
import { AllPlans } from './plan.tsx';
import { useAddPlan } from './fault-plans.ts';

interface PlanValues {
  title: string;
  seed: string;
  faults: readonly FaultValues[];
}

const FIRST: PlanValues = { title: '', seed: '', faults: [firstFaultAt('api.reply')] };

/** The form of a new plan, and the same as JSON. */
export function NewPlan({ onAdded }: { onAdded: (plan: FaultPlan) => void }) {
  const { add, busy, problem, setProblem } = useAddPlan(onAdded);
  const [values, setValues] = useState(FIRST);
  // Undefined while the form is shown.
  const [text, setText] = useState<string>();
  const inField = text === undefined ? fieldProblemOf(problem) : undefined;
  const change = (changed: PlanValues) => {
    setValues(changed);
    setProblem(undefined);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const plan = text === undefined ? planOf(values) : parsed(text);
    if (plan === undefined) setProblem('This is not JSON.');
    else void add(plan);
  };
  return (
    <div class="item-detail">
      <AllPlans />
      <header class="detail-head">
        <h1>New plan</h1>
        <div class="segments" role="group" aria-label="Write the plan as">
          <button aria-pressed={text === undefined} onClick={() => setText(undefined)}>
            Form
          </button>
          <button
            aria-pressed={text !== undefined}
            onClick={() => setText(JSON.stringify(planOf(values), null, 2))}
          >
            JSON
          </button>
        </div>
      </header>
      <form class="new-plan" aria-label="Faults of the new plan" onSubmit={submit}>
        {text === undefined ? (
          <PlanFields values={values} problem={inField} change={change} />
        ) : (
          <label class="field">
            Plan
            <textarea
              class="mono"
              rows={18}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        <p class="bad-words" role="alert">
          {!inField && problem}
        </p>
        <div class="detail-buttons">
          <button class="primary" disabled={busy}>
            Add the plan
          </button>
        </div>
      </form>
    </div>
  );
}

interface PlanFieldsProps {
  values: PlanValues;
  problem: FieldProblem | undefined;
  change: (values: PlanValues) => void;
}

function PlanFields({ values, problem, change }: PlanFieldsProps) {
  const { title, seed, faults } = values;
  const offered = useFaultNames();
  const set = (index: number, fault: FaultValues) => change({ ...values, faults: faults.with(index, fault) });
  return (
    <>
      {faults.map((fault, index) => (
        <FaultFields
          key={index}
          fault={fault}
          offered={offered}
          problem={problem?.fault === index ? problem : undefined}
          name={faults.length === 1 ? 'Fault' : `Fault ${index + 1}`}
          change={(changed) => set(index, changed)}
          remove={
            faults.length === 1 ? undefined : () => change({ ...values, faults: faults.toSpliced(index, 1) })
          }
        />
      ))}
      <button
        type="button"
        class="another-fault"
        onClick={() => change({ ...values, faults: [...faults, firstFaultAt('api.reply')] })}
      >
        Add another fault
      </button>
      <div class="plan-fields">
        <label class="field">
          Title of the plan
          <input
            maxLength={200}
            placeholder="optional"
            value={title}
            onInput={(event) => change({ ...values, title: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          Seed, for faults by chance
          <input
            maxLength={100}
            placeholder="default"
            value={seed}
            onInput={(event) => change({ ...values, seed: event.currentTarget.value })}
          />
        </label>
      </div>
    </>
  );
}

function planOf({ title, seed, faults }: PlanValues) {
  return { ...(title && { title }), ...(seed && { seed }), faults: faults.map((each) => plannedFault(each)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the names that a fault can ask for; undefined until they are read, and where they cannot be. */
function useFaultNames(): FaultNames | undefined {
  const { api, link } = useDashboard();
  const [names, setNames] = useState<FaultNames>();
  const isWanted = link.value.kind === 'online' && names === undefined;
  useEffect(() => {
    if (!isWanted) return undefined;
    let stopped = false;
    void api.get<FaultNames>('/dashboard/fault-names').then((answer) => {
      if (answer.ok && !stopped) setNames(answer.body);
    });
    return () => void (stopped = true);
  }, [api, isWanted]);
  return names;
}
