import { useEffect, useRef, useState } from 'preact/hooks';
import type { FaultPlan } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { rereadOnChange } from '../parts/reread.ts';
import { pageClock } from '../time.ts';
import { laterStrikesPath, withLaterStrikes } from './later-strikes.ts';

interface FaultPlans {
  /** Newest first; undefined until they were read. */
  plans: readonly FaultPlan[] | undefined;
  /** Why they could not be read, in words. */
  problem: string | undefined;
}

/** A change of the plans that this page has made. */
type Edit = (plans: readonly FaultPlan[]) => readonly FaultPlan[];

interface ChangeablePlans extends FaultPlans {
  /** Shows a plan that was added, before the plans are read again. */
  showAdded(plan: FaultPlan): void;
  /** Shows a plan no more, before the plans are read again. */
  showDeleted(id: string): void;
}

/** Reads the plans of faults with what struck, and what struck since then when something changes in the sandbox. */
export function useFaultPlans(): ChangeablePlans {
  const { api, link, state } = useDashboard();
  const [read, setRead] = useState<FaultPlans>({ plans: undefined, problem: undefined });
  const edits = useRef<Edit[]>([]);
  const isWanted = link.value.kind === 'online' && state.mode.value === 'sandbox';
  useEffect(() => {
    if (!isWanted) return;
    let stopped = false;
    const isHidden = () => document.hidden;
    let known: readonly FaultPlan[] | undefined;
    const rereading = rereadOnChange({ clock: pageClock, changes: state.changes, isHidden }, async () => {
      for (let hasMore = true; hasMore && !stopped;) {
        const { length } = edits.current;
        const answer = await api.get<{ items: FaultPlan[] }>(laterStrikesPath(known));
        if (stopped) return;
        if (!answer.ok) return setRead(({ plans }) => ({ plans, problem: answer.problem }));
        ({ plans: known, hasMore } = withLaterStrikes(known, answer.body.items));
        // The reply may be of the time before.
        const since = edits.current.slice(length);
        const plans = since.reduce<readonly FaultPlan[]>((all, edit) => edit(all), known.toReversed());
        setRead({ plans, problem: undefined });
      }
    });
    return () => {
      stopped = true;
      rereading.stop();
    };
  }, [api, isWanted]);
  const show = (edit: Edit) => {
    edits.current.push(edit);
    setRead(({ plans, problem }) => ({ plans: plans && edit(plans), problem }));
  };
  return {
    ...read,
    showAdded: (plan) => show((plans) => (plans.some(({ id }) => id === plan.id) ? plans : [plan, ...plans])),
    showDeleted: (id) => show((plans) => plans.filter((plan) => plan.id !== id)),
  };
}
