import type { ServerInput } from './server-model.ts';
import type { TerminalInput } from './terminal-model.ts';

const USUAL_EVENTS = new Set([
  'card.presented',
  'card.read',
  'pin.entered',
  'pin.accepted',
  'card.completed',
  'device.ready',
  'device.approved',
  'copy.printed',
]);

/** Whether a step is one of a run in which nothing goes wrong. */
export function isUsual(input: TerminalInput | ServerInput): boolean {
  switch (input.type) {
    case 'event':
      return USUAL_EVENTS.has(input.event.type);
    case 'device':
      return input.what === 'charges';
    case 'report':
      return input.outcome === 'approved';
    case 'confirm':
      return Object.values(input.confirmation).every(({ status }) => status === 'Succeeded');
    default:
      return input.type === 'command' || input.type === 'start';
  }
}

/** What the point of sale may confirm. */
const SUCCEEDED = { status: 'Succeeded' } as const;
const FAILED = { status: 'Failed' } as const;
export const CONFIRMATIONS = [
  { merchantCopy: SUCCEEDED },
  { merchantCopy: FAILED },
  { customerCopy: SUCCEEDED },
  { customerCopy: FAILED },
  { merchantCopy: SUCCEEDED, customerCopy: SUCCEEDED },
];
