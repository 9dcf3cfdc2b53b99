import type { MachineStep } from './notices.ts';
import type { Services } from './services.ts';
import type { Transaction } from './store/store.ts';

/** Emits a notice of a step of one of the server's machines, once the step is durable. */
export function emitStep(
  tx: Transaction,
  { notices }: Pick<Services, 'notices'>,
  step: Omit<MachineStep, 'deadlineMs'> & { deadlineMs?: number | null },
): void {
  tx.afterCommit(() => notices.emit({ kind: 'machine.stepped', deadlineMs: null, ...step }));
}
