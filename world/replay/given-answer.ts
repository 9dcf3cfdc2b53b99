import { Fault } from '../../protocol/failures.ts';
import type { TraceAnswer } from '../../server/traces/trace-item.schema.ts';

/** Gives the answer that another server gave in a recording. @throws Fault `transport` when there was none */
export async function givenAnswer<T>(answer: TraceAnswer['answer']): Promise<T> {
  if (typeof answer === 'object' && 'problem' in answer) throw new Fault('transport', answer.problem);
  return answer as T;
}
