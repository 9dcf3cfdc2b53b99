import { entriesOf } from '../../protocol/tables.ts';
import type { Trial } from './trial.ts';
import type { HuntFacts } from '../../world/verdicts/hunt-facts.ts';

/** Returns the processes beside a shop that sent no request, so that no fault stops them. */
export function silentProcesses(processes: Trial['processes'] = {}): string[] {
  return entriesOf(processes)
    .filter(([, { request }]) => request === 0)
    .map(([name]) => name);
}

/** Returns what the verdicts of a hunt cannot compare, as sentences. */
export function warningsOf(orderMember: string, { payments, shop }: HuntFacts): string[] {
  if (payments.length === 0)
    return ['the scenario made no payment without faults: only its events and terminals were judged'];
  const unnamed = payments.filter(({ orderId }) => orderId === undefined).length;
  if (unnamed === 0) return [];
  const [not, notAll] = shop
    ? ['the books were not compared', 'were not compared with the books']
    : ['an order that is charged twice is not found', 'are not looked at for an order that is charged twice'];
  if (unnamed === payments.length)
    return [
      `no payment has the metadata member '${orderMember}': nothing says which order it is of, so ${not}`,
    ];
  return [`${unnamed} of ${payments.length} payments have no metadata member '${orderMember}' and ${notAll}`];
}
