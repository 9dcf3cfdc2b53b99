import { after, type Timer } from '../../protocol/clock.ts';
import type { BodyOf } from '../../protocol/message.ts';
import { Simulate, Simulated, type SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';

// A simulator answers in milliseconds. One that is just reconnecting gets the same question again, which it
// knows by its id and does once.
const ASK_EVERY_MS = 1_000;
const ASK_TIMES = 5;

type Answer = BodyOf<typeof Simulated>;
/** How a simulated terminal stands. */
export type Standing = NonNullable<Answer['terminal']>;

export interface Simulation {
  /**
   * Has an act done to the world around a simulated terminal, whichever process simulates it.
   * @throws Refusal `not_simulated` when nobody answers within five seconds of real time, `simulation_refused`
   * with the simulator's reason.
   */
  perform(terminalId: string, act: SimulationAct): Promise<Standing>;
}

export function createSimulation(services: Pick<Services, 'gateway' | 'ids' | 'realClock'>): Simulation {
  const { gateway, ids, realClock } = services;
  const pending = new Map<string, { terminalId: string; answered(answer: Answer): void }>();

  gateway.onReport(Simulated, (terminalId, answer) => {
    const request = pending.get(answer.requestId);
    if (request?.terminalId === terminalId) request.answered(answer);
  });

  function ask(terminalId: string, act: SimulationAct): Promise<Answer | undefined> {
    const requestId = ids.uuid();
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const finish = (answer?: Answer) => {
        timer?.cancel();
        pending.delete(requestId);
        resolve(answer);
      };
      const askAgain = (timesLeft: number) => {
        if (timesLeft === 0) return finish();
        timer = after(realClock, ASK_EVERY_MS, () => askAgain(timesLeft - 1));
        void gateway.send(Simulate, terminalId, { requestId, act });
      };
      pending.set(requestId, { terminalId, answered: finish });
      askAgain(ASK_TIMES);
    });
  }

  return {
    async perform(terminalId, act) {
      const answer = await ask(terminalId, act);
      if (!answer) throw new Refusal('not_simulated');
      if (answer.ok && answer.terminal) return answer.terminal;
      throw new Refusal('simulation_refused', { problem: answer.problem ?? 'the simulator gave no reason' });
    },
  };
}
