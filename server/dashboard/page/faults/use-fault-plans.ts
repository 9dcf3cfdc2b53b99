import { useEffect, useState } from 'preact/hooks';
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

/** Reads the plans of faults with what struck, and what struck since then when something changes in the sandbox. */
export function useFaultPlans(): FaultPlans {
  const { api, link, state } = useDashboard();
  const [read, setRead] = useState<FaultPlans>({ plans: undefined, problem: undefined });
  const isWanted = link.value.kind === 'online' && state.mode.value === 'sandbox';
  useEffect(() => {
    if (!isWanted) return;
    let stopped = false;
    const isHidden = () => document.hidden;
    let known: readonly FaultPlan[] | undefined;
    const rereading = rereadOnChange({ clock: pageClock, changes: state.changes, isHidden }, async () => {
      for (let hasMore = true; hasMore && !stopped;) {
        const answer = await api.get<{ items: FaultPlan[] }>(laterStrikesPath(known));
        if (stopped) return;
        if (!answer.ok) return setRead(({ plans }) => ({ plans, problem: answer.problem }));
        ({ plans: known, hasMore } = withLaterStrikes(known, answer.body.items));
        setRead({ plans: known.toReversed(), problem: undefined });
      }
    });
    return () => {
      stopped = true;
      rereading.stop();
    };
  }, [api, isWanted]);
  return read;
}
