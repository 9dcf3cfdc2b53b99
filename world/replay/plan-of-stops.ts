import type { TraceOutput } from '../../server/traces/trace-item.schema.ts';

/** Names the plan of the faults that stop an integrator's process. No plan of the sandbox has these, but its recordings do. */
export const PLAN_OF_STOPS = 'integrator';

/** Returns whether an output is not of the sandbox, but of the integrator whose process was stopped. */
export function isOfIntegrator({ entry: { plan, fault } }: TraceOutput): boolean {
  return (plan ?? fault)?.planId === PLAN_OF_STOPS;
}
