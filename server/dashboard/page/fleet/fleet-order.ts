import type { FleetTerminal } from '../../view.ts';

const byName = new Intl.Collator('en', { numeric: true });

/** Compares two terminals for a list of the fleet: those that are online first, each part by name. */
export function compareTerminals(a: FleetTerminal, b: FleetTerminal): number {
  return (
    Number(b.online) - Number(a.online) ||
    byName.compare(a.name, b.name) ||
    byName.compare(a.serialNumber, b.serialNumber)
  );
}
