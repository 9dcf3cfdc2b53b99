import { useState } from 'preact/hooks';
import type { FaultPlan, FaultStrike } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatDate, formatTime } from '../format.ts';
import { problem as toast } from '../link/api.ts';
import { Icon } from '../parts/icons.tsx';
import { ObjectLink } from '../parts/names.tsx';
import { hrefOf } from '../route.ts';
import { navigateLater } from '../routing.ts';
import { JsonView } from '../parts/sent-content.tsx';
import { FaultLines } from './fault-lines.tsx';
import { PlanPill, planTitle, struckText } from './plan-row.tsx';
import { strikeTarget } from './strike-target.ts';

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
    const answer = await api.delete(`/sandbox/faults/${encodeURIComponent(id)}`);
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
