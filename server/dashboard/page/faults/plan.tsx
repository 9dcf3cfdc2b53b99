import { useState } from 'preact/hooks';
import type { FaultPlan, FaultStrike, PlannedFault } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatDate, formatTime } from '../format.ts';
import { problem as toast } from '../link/api.ts';
import { Icon } from '../parts/icons.tsx';
import { ObjectLink } from '../parts/names.tsx';
import { hrefOf } from '../route.ts';
import { navigateLater } from '../routing.ts';
import { JsonView } from '../parts/sent-content.tsx';
import { strikeTarget } from './strikes.tsx';
import { faultWords } from '../../../platform/faults/fault-words.ts';

interface PlanDetailProps {
  id: string;
  plan: FaultPlan | undefined;
  /** Whether the plans were read. */
  isRead: boolean;
  onDeleted: () => void;
}

/** A plan: its faults in words, what struck, and its JSON. */
export function PlanDetail({ id, plan, isRead, onDeleted }: PlanDetailProps) {
  const { api } = useDashboard();
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    const navigate = navigateLater();
    setBusy(true);
    const answer = await api.answer('DELETE /sandbox/faults/{id}', { params: { id } });
    toast.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
    if (!answer.ok) return;
    navigate({ view: 'faults' });
    onDeleted();
  };
  return (
    <div class="item-detail">
      <AllPlans />
      {!plan && <h1 class="unseen">Plan {id}</h1>}
      {!plan && isRead && (
        <p class="quiet-note">There is no plan {id}. It was deleted, or the sandbox was reset.</p>
      )}
      {plan && (
        <>
          <header class="detail-head delivery-head">
            <PlanPill status={plan.status} />
            <h1>{planTitle(plan)}</h1>
            <button disabled={busy} onClick={remove}>
              Delete
            </button>
          </header>
          <section class="detail-section" aria-label="Faults of the plan">
            <h2>
              {plan.faults.length} {plan.faults.length === 1 ? 'fault' : 'faults'}
            </h2>
            <FaultLines faults={plan.faults} struckByFault={plan.struckByFault} />
          </section>
          <Strikes plan={plan} />
          <section class="detail-section" aria-label="Plan as JSON">
            <h2>As JSON</h2>
            <p class="quiet-line">
              <code>{plan.id}</code>, as <code>POST /sandbox/faults</code> and{' '}
              <code>tapbench faults load</code> take it.
            </p>
            <JsonView value={{ title: plan.title, seed: plan.seed, faults: plan.faults }} />
          </section>
        </>
      )}
    </div>
  );
}

/** Leads back to the list where there is room for one of them only. */
export function AllPlans() {
  return (
    <a class="detail-back" href={hrefOf({ view: 'faults' })}>
      <Icon name="back" size={14} />
      All plans
    </a>
  );
}

function Strikes({ plan: { struck, strikes, status } }: { plan: FaultPlan }) {
  return (
    <section class="detail-section" aria-labelledby="strikes-title">
      <h2 id="strikes-title">{struck === 0 ? 'Not struck yet' : struckText(struck).replace(/^s/, 'S')}</h2>
      {struck === 0 && status === 'Active' && (
        <p class="quiet-line">It waits for what it strikes. What struck appears here by itself.</p>
      )}
      {strikes.length > 0 && (
        <ul class="strikes" aria-label="What struck, newest first">
          {strikes.toReversed().map((strike, index) => (
            <Strike key={strikes.length - index} strike={strike} />
          ))}
        </ul>
      )}
      {struck > strikes.length && <p class="quiet-line">The latest {strikes.length} are shown.</p>}
    </section>
  );
}

function Strike({ strike }: { strike: FaultStrike }) {
  const { timestamp, what, subject, ids, occurrence } = strike;
  const target = strikeTarget(strike);
  const ms = timestamp * 1000;
  return (
    <li>
      <p>
        <time title={`${formatDate(ms)} UTC`}>{formatTime(ms)}</time>
        <b class="mono">{what}</b>
        <span class="mono strike-subject">{subject}</span>
        <span class="quiet-line">occurrence {occurrence}</span>
        {target && (
          <a href={hrefOf(target.to)}>
            {target.label}
            <span class="unseen"> that was struck</span>
          </a>
        )}
      </p>
      {ids.length > 0 && (
        <ul class="strike-ids">
          {ids.map((id) => (
            <li key={id}>
              <ObjectLink id={id} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface FaultLinesProps {
  faults: readonly PlannedFault[];
  /** How often each struck; those that never did are marked. */
  struckByFault?: readonly number[];
}

/** The faults of a plan in words. */
export function FaultLines({ faults, struckByFault = [] }: FaultLinesProps) {
  return (
    <ol class="fault-lines">
      {faults.map((fault, index) => (
        <FaultLine key={index} fault={fault} isUnstruck={struckByFault[index] === 0} />
      ))}
    </ol>
  );
}

function FaultLine({ fault, isUnstruck }: { fault: PlannedFault; isUnstruck: boolean }) {
  const { where, which, what } = faultWords(fault);
  return (
    <li>
      <p>
        <b class="mono">{fault.what}</b> <span class="mono fault-at">{fault.at}</span>
        {isUnstruck && <span class="pill warn">not struck</span>}
      </p>
      <p>
        {where}: {which}.
      </p>
      <p>{what}</p>
    </li>
  );
}

/** A plan in the list; opens it. */
export function PlanRow({ plan, isOpen }: { plan: FaultPlan; isOpen: boolean }) {
  const { id, status, createdTimestamp, faults } = plan;
  return (
    <li>
      <a href={hrefOf({ view: 'faults', id })} aria-current={isOpen ? 'true' : undefined}>
        <PlanPill status={status} />
        <b class="clip">{planTitle(plan)}</b>
        <time title="UTC">{formatTime(createdTimestamp * 1000)}</time>
        <span class="clip plan-first">
          {planPlace(plan)}
          {faultWords(faults[0]!).which}
          {faults.length > 1 && `, and ${faults.length - 1} more`}
        </span>
        <span class="plan-struck">{planStruckText(plan)}</span>
      </a>
    </li>
  );
}

function PlanPill({ status }: Pick<FaultPlan, 'status'>) {
  return <span class={`pill ${status === 'Active' ? 'live' : 'plain'}`}>{status.toLowerCase()}</span>;
}

/** The title of a plan, or else what its first fault does and where. */
function planTitle({ title, faults }: Pick<FaultPlan, 'title' | 'faults'>): string {
  const { at, what } = faults[0]!;
  return title || `${what} at ${at}`;
}

/** What the first fault of a plan does and where, before which occurrences it strikes, unless that is the title. */
function planPlace({ title, faults }: Pick<FaultPlan, 'title' | 'faults'>): string {
  const { at, what } = faults[0]!;
  return title ? `${what} at ${at}: ` : '';
}

/** How often a plan struck, and how many of its faults have not. */
function planStruckText({ struck, struckByFault }: Pick<FaultPlan, 'struck' | 'struckByFault'>): string {
  const unstruck = struckByFault.filter((count) => count === 0).length;
  if (struck === 0 || unstruck === 0) return struckText(struck);
  return `${struckText(struck)}, ${unstruck} of ${struckByFault.length} faults not struck yet`;
}

function struckText(struck: number): string {
  return struck === 0 ? 'not struck yet' : struck === 1 ? 'struck once' : `struck ${struck} times`;
}
