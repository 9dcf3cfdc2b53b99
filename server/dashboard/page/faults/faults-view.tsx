import { useEffect } from 'preact/hooks';
import type { FaultPlan } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { Icon } from '../parts/icons.tsx';
import { hrefOf } from '../route.ts';
import { useAddPlan, useFaultPlans } from './fault-plans.ts';
import { NewPlan } from './new-plan.tsx';
import { PlanDetail, PlanRow, FaultLines } from './plan.tsx';
import { sandboxPrefix } from '../link/sandbox-path.ts';

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

const EXAMPLE = {
  at: 'api.reply',
  what: 'reset',
  when: { operation: 'POST /v1/payment-sessions' },
} as const;

/** What faults are for, shown while there is no plan, with an example to put on the sandbox. */
function FirstPlan({ onAdded }: { onAdded: (plan: FaultPlan) => void }) {
  const { add, busy, problem } = useAddPlan(onAdded);
  return (
    <div class="first-plan">
      <p>
        A plan of faults makes happen what a shop loses money to: a reply that is lost after the card was
        charged, a message that comes twice, a terminal without power.
      </p>
      <h2>Lose one reply</h2>
      <FaultLines faults={[EXAMPLE]} />
      <p>
        The next payment session is created, and your code gets no reply. If it sends the request again
        without a look at what is there, there are two.
      </p>
      <div class="detail-buttons">
        <button
          class="primary"
          disabled={busy}
          onClick={() => add({ title: 'Lose one reply', faults: [EXAMPLE] })}
        >
          Lose the next reply
        </button>
      </div>
      <p class="bad-words" role="alert">
        {problem}
      </p>
      <p>
        <a href={`${sandboxPrefix(location.pathname)}/guides/docs/faults.md`}>Read on about faults</a>
      </p>
    </div>
  );
}
