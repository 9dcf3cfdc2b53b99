import { useState } from 'preact/hooks';
import { FaultLines } from './fault-lines.tsx';
import type { FaultPlan, PlannedFault } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { sandboxPrefix } from '../link/sandbox-path.ts';
import { navigateLater } from '../routing.ts';

const EXAMPLE: PlannedFault = {
  at: 'api.reply',
  what: 'reset',
  when: { operation: 'POST /v1/payment-sessions' },
};

/** What faults are for, shown while there is no plan, with an example to put on the sandbox. */
export function FirstPlan({ onAdded }: { onAdded: (plan: FaultPlan) => void }) {
  const { api } = useDashboard();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const add = async () => {
    const navigate = navigateLater();
    setBusy(true);
    const body = { title: 'Lose one reply', faults: [EXAMPLE] };
    const answer = await api.post<FaultPlan>('/sandbox/faults', { body });
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    onAdded(answer.body);
    navigate({ view: 'faults', id: answer.body.id });
  };
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
        <button class="primary" disabled={busy} onClick={add}>
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
