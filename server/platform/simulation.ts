import type { BodyOf } from '../../protocol/message.ts';
import type { Simulated, SimulationAct } from '../../protocol/messages/sandbox.messages.ts';

/** State of a simulated terminal and of the world around it. */
export type SimulatedState = NonNullable<BodyOf<typeof Simulated>['terminal']>;

export interface Simulation {
  /**
   * Performs an act on the world around a simulated terminal, whichever process simulates it.
   * @throws Refusal `not_simulated` when no simulator answers within five seconds of real time,
   * `simulation_refused` with the simulator's reason.
   */
  perform(terminalId: string, act: SimulationAct): Promise<SimulatedState>;
}
