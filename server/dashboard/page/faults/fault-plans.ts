import { useEffect, useRef, useState } from 'preact/hooks';
import type { FaultPlan } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { rereadOnChange } from '../parts/reread.ts';
import { navigateLater } from '../routing.ts';
import { pageClock } from '../time.ts';

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
        const answer = await api.answer('GET /sandbox/faults', { query: laterStrikesQuery(known) });
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

/** Strikes of a plan that the page keeps, and that it reads at once. */
export const KEPT_STRIKES = 1_000;

/** Returns the query that reads the plans with what struck after what is known; all that is listed while nothing is. */
export function laterStrikesQuery(known: readonly FaultPlan[] | undefined): {
  strikes: number;
  strikesAfter?: number;
} {
  if (!known) return { strikes: KEPT_STRIKES };
  const numbers = known.flatMap(({ strikes }) => strikes.map(({ number }) => number));
  return { strikes: KEPT_STRIKES, strikesAfter: numbers.reduce((a, b) => Math.max(a, b), 0) };
}

/** Adds the strikes that are known to plans that were read with what struck after those. */
export function withLaterStrikes(
  known: readonly FaultPlan[] | undefined,
  read: readonly FaultPlan[],
): { plans: readonly FaultPlan[]; hasMore: boolean } {
  const before = new Map(known?.map(({ id, strikes }) => [id, strikes]));
  const plans = read.map((plan) => ({
    ...plan,
    strikes: [...(before.get(plan.id) ?? []), ...plan.strikes].slice(-KEPT_STRIKES),
  }));
  const later = read.reduce((sum, { strikes }) => sum + strikes.length, 0);
  return { plans, hasMore: known !== undefined && later === KEPT_STRIKES };
}

/** Adds a plan to the sandbox and opens it; `problem` is why the latest one was refused. */
export function useAddPlan(onAdded: (plan: FaultPlan) => void) {
  const { api } = useDashboard();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const add = async (plan: unknown) => {
    const navigate = navigateLater();
    setBusy(true);
    // The same problem again is announced again.
    setProblem(undefined);
    // A plan of the form or of a text is data, which the server checks.
    const answer = await api.post<FaultPlan>('/sandbox/faults', { body: plan });
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    onAdded(answer.body);
    navigate({ view: 'faults', id: answer.body.id });
  };
  return { add, busy, problem, setProblem };
}
