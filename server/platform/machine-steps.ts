import type { MachineStep } from './activities.ts';
import type { Services } from './services.ts';
import type { Transaction } from './store/store.ts';

/** Emits an activity of a step of one of the server's machines, once the step is durable. */
export function emitStep(
  tx: Transaction,
  { activities }: Pick<Services, 'activities'>,
  step: Omit<MachineStep, 'deadlineMs'> & { deadlineMs?: number | null },
): void {
  tx.afterCommit(() => activities.emit({ kind: 'machine.stepped', deadlineMs: null, ...step }));
}
