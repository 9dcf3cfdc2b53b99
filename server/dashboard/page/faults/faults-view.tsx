import { useEffect } from 'preact/hooks';
import type { FaultPlan } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { Icon } from '../parts/icons.tsx';
import { hrefOf } from '../route.ts';
import { useFaultPlans } from './use-fault-plans.ts';
import { FirstPlan } from './first-plan.tsx';
import { NewPlan } from './new-plan.tsx';
import { PlanDetail } from './plan-detail.tsx';
import { PlanRow } from './plan-row.tsx';

/** Id of the plan to be, in the address. */
const NEW = 'new';

/** The plans of faults of the sandbox, and one of them with what struck, or the form of a new one. */
export function FaultsView({ id }: { id: string | undefined }) {
  const { state } = useDashboard();
  useWatch(null);
  const { plans, problem, showAdded, showDeleted } = useFaultPlans();
  useEffect(() => {
    document.title = 'Faults · Tapbench';
  }, []);
  if (state.mode.value === 'live') return <NoFaults />;
  const Title = id === undefined ? 'h1' : 'h2';
  return (
    <section class={id ? 'list-page with-detail' : 'list-page'} aria-labelledby="faults-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="faults-title">Faults</Title>
          <div class="spacer" />
          <a class="button" href={hrefOf({ view: 'faults', id: NEW })}>
            <Icon name="plus" size={14} />
            Add a plan
          </a>
        </div>
        {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
        {plans?.length === 0 && <FirstPlan onAdded={showAdded} />}
        {plans !== undefined && plans.length > 0 && <PlanList plans={plans} openId={id} />}
      </div>
      {id === undefined ? (
        <p class="quiet-note list-hint">
          {plans?.length === 0 ? 'What struck appears here.' : 'Select a plan to see what struck.'}
        </p>
      ) : id === NEW ? (
        <NewPlan onAdded={showAdded} />
      ) : (
        <PlanDetail
          id={id}
          plan={plans?.find((plan) => plan.id === id)}
          isRead={plans !== undefined}
          onDeleted={() => showDeleted(id)}
          key={id}
        />
      )}
    </section>
  );
}

function PlanList({ plans, openId }: { plans: readonly FaultPlan[]; openId: string | undefined }) {
  return (
    <ul class="item-list plan-list" aria-label="Plans of faults, newest first">
      {plans.map((plan) => (
        <PlanRow key={plan.id} plan={plan} isOpen={plan.id === openId} />
      ))}
    </ul>
  );
}

/** With live keys nothing is struck. */
function NoFaults() {
  return (
    <section class="empty" aria-labelledby="faults-title">
      <h1 id="faults-title">No faults with live keys</h1>
      <p>
        This server runs with live keys, and faults strike sandboxes only. Start it with the keys of a sandbox
        to try your code against lost replies, repeated messages and power cuts.
      </p>
    </section>
  );
}
