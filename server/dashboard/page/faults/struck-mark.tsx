import { hrefOf } from '../route.ts';
import type { PlanStrike } from './plan-strikes.ts';

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
