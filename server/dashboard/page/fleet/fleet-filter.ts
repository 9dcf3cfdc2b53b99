import type { FleetTerminal } from '../../view.ts';

/** Which terminals the fleet shows. */
export type Group = 'all' | 'active' | 'failed' | 'offline';

/** The one group that a terminal counts in, besides all. */
export function groupOf({ online, action }: FleetTerminal): Exclude<Group, 'all'> | undefined {
  if (!online) return 'offline';
  if (action?.status === 'InProgress') return 'active';
  if (action?.status === 'Failed') return 'failed';
  return undefined;
}

/** Whether a terminal is in the group and each word of the text is somewhere in what is known of it. */
export function isShown(terminal: FleetTerminal, group: Group, text: string): boolean {
  if (group !== 'all' && groupOf(terminal) !== group) return false;
  const { name, serialNumber, id, deviceType, reader, action } = terminal;
  const about = [
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
    .every((word) => about.includes(word));
}
