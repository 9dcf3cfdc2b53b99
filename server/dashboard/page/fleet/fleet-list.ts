import type { FleetTerminal } from '../../view.ts';

/** A status to filter the fleet by. */
export type Group = 'all' | 'active' | 'failed' | 'offline';

/** Returns the group of a terminal, besides `all`; undefined for one that is online and idle. */
export function groupOf({ online, action }: FleetTerminal): Exclude<Group, 'all'> | undefined {
  if (!online) return 'offline';
  if (action?.status === 'InProgress') return 'active';
  if (action?.status === 'Failed') return 'failed';
  return undefined;
}

/** Whether a terminal is in the group and its fields contain every word of the text. */
export function matchesFilter(terminal: FleetTerminal, group: Group, text: string): boolean {
  if (group !== 'all' && groupOf(terminal) !== group) return false;
  const { name, serialNumber, id, deviceType, reader, action } = terminal;
  const fields = [
    name,
    serialNumber,
    id,
    deviceType,
    reader,
    action?.paymentSessionId,
    action?.state,
    action?.errorCode,
  ]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => fields.includes(word));
}

const byName = new Intl.Collator('en', { numeric: true });

/** Compares two terminals for a list of the fleet: those that are online first, each part by name. */
export function compareTerminals(a: FleetTerminal, b: FleetTerminal): number {
  return (
    Number(b.online) - Number(a.online) ||
    byName.compare(a.name, b.name) ||
    byName.compare(a.serialNumber, b.serialNumber)
  );
}
