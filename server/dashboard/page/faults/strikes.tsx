import type { FaultPlan, FaultStrike } from '../../view.ts';
import { hrefOf, type Route } from '../route.ts';

/** A strike with the plan that it is of. */
export interface PlanStrike extends FaultStrike {
  planId: string;
}

/** Returns what struck, of all plans. */
export function strikesOf(plans: readonly FaultPlan[] = []): PlanStrike[] {
  return plans.flatMap(({ id: planId, strikes }) => strikes.map((strike) => ({ ...strike, planId })));
}

/** Returns the strikes that concern all of some ids. */
export function strikesOn(strikes: readonly PlanStrike[], ids: readonly string[]): PlanStrike[] {
  return strikes.filter((strike) => ids.every((id) => strike.ids.includes(id)));
}

/** A mark in a list: a fault struck this. */
export function StruckMark({ strikes }: { strikes: readonly PlanStrike[] }) {
  if (strikes.length === 0) return null;
  const whats = [...new Set(strikes.map(({ what }) => what))].join(', ');
  return (
    <span class="struck-mark" title={`A fault struck: ${whats}`}>
      <span aria-hidden="true">⚡</span>
      <span class="unseen">a fault struck: {whats}</span>
    </span>
  );
}

/** What struck a request or a delivery, with links to the plans. */
export function StruckNote({ strikes }: { strikes: readonly PlanStrike[] }) {
  if (strikes.length === 0) return null;
  return (
    <ul class="refusal-note" aria-label="Faults that struck">
      {strikes.map(({ planId, what, fault, occurrence }) => (
        <li key={`${planId} ${fault} ${occurrence}`}>
          <span aria-hidden="true">⚡ </span>A fault struck: <b>{what}</b>, of{' '}
          <a href={hrefOf({ view: 'faults', id: planId })}>{planId}</a>
        </li>
      ))}
    </ul>
  );
}

/** What a strike leads to. */
interface StrikeTarget {
  label: string;
  to: Route;
}

/** Returns where the page shows what was struck: a request, a delivery, an action, a terminal or an object. */
export function strikeTarget({ ids }: Pick<FaultStrike, 'ids'>): StrikeTarget | undefined {
  const of = (prefix: string) => ids.find((id) => id.startsWith(prefix));
  const [request, event, webhook, action] = [of('req_'), of('ev_'), of('wh_'), of('tmlact_')];
  const terminal = of('tml_');
  if (request) return { label: 'Request', to: { view: 'requests', id: request } };
  if (event && webhook) return { label: 'Delivery', to: { view: 'webhooks', id: `${event}.${webhook}` } };
  if (terminal && action)
    return { label: 'Action', to: { view: 'terminal', id: terminal, actionId: action } };
  if (terminal) return { label: 'Terminal', to: { view: 'terminal', id: terminal } };
  return ids[0] === undefined ? undefined : { label: 'Object', to: { view: 'objects', id: ids[0] } };
}
