import type { FaultPlan } from '../../view.ts';
import { faultWords } from '../../../platform/faults/fault-words.ts';
import { formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';

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
          {faultWords(faults[0]!).which}
          {faults.length > 1 && `, and ${faults.length - 1} more`}
        </span>
        <span class="plan-struck">{planStruckText(plan)}</span>
      </a>
    </li>
  );
}

export function PlanPill({ status }: Pick<FaultPlan, 'status'>) {
  return <span class={`pill ${status === 'Active' ? 'live' : 'plain'}`}>{status.toLowerCase()}</span>;
}

/** The title of a plan, or else what its first fault does and where. */
export function planTitle({ title, faults }: Pick<FaultPlan, 'title' | 'faults'>): string {
  const { at, what } = faults[0]!;
  return title || `${what} at ${at}`;
}

/** How often a plan struck, and how many of its faults have not. */
function planStruckText({ struck, struckByFault }: Pick<FaultPlan, 'struck' | 'struckByFault'>): string {
  const unstruck = struckByFault.filter((count) => count === 0).length;
  if (struck === 0 || unstruck === 0) return struckText(struck);
  return `${struckText(struck)}, ${unstruck} of ${struckByFault.length} faults not struck yet`;
}

export function struckText(struck: number): string {
  return struck === 0 ? 'not struck yet' : struck === 1 ? 'struck once' : `struck ${struck} times`;
}
