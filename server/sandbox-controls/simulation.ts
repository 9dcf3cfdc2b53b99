import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import type { BodyOf } from '../../protocol/message.ts';
import { Simulate, Simulated, type SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import type { Ids } from '../../protocol/ids.ts';
import type { Gateway } from '../platform/gateway.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Simulation } from '../platform/simulation.ts';

// A simulator answers in milliseconds. One that is just reconnecting gets the same question again, which it
// knows by its id and does once.
const ASK_EVERY_MS = 1_000;
const ASK_TIMES = 5;

type Answer = BodyOf<typeof Simulated>;

interface SimulationParts {
  gateway: Gateway;
  ids: Ids;
  realClock: Clock;
}

export function createSimulation({ gateway, ids, realClock }: SimulationParts): Simulation {
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
