import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import type { BodyOf } from '../../protocol/message.ts';
import { Simulate, Simulated, type SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import type { Ids } from '../../protocol/ids.ts';
import type { Gateway } from '../platform/gateway.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Simulation } from '../platform/simulation.ts';

// A simulator replies in milliseconds. One that is reconnecting gets the request again; it runs each id once.
const RETRY_INTERVAL_MS = 1_000;
const ATTEMPTS = 5;

type Reply = BodyOf<typeof Simulated>;

interface SimulationParts {
  gateway: Gateway;
  ids: Ids;
  realClock: Clock;
}

/**
 * Creates the port that sends acts to the simulators of terminals.
 * @throws Refusal (from `perform`) `not_simulated` without a reply, `simulation_refused` with the simulator's reason.
 */
export function createSimulation({ gateway, ids, realClock }: SimulationParts): Simulation {
  const pending = new Map<string, { terminalId: string; settle(reply: Reply): void }>();

  gateway.onReport(Simulated, (terminalId, reply) => {
    const waiting = pending.get(reply.requestId);
    if (waiting?.terminalId === terminalId) waiting.settle(reply);
  });

  function request(terminalId: string, act: SimulationAct): Promise<Reply | undefined> {
    const requestId = ids.uuid();
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const finish = (reply?: Reply) => {
        timer?.cancel();
        pending.delete(requestId);
        resolve(reply);
      };
      const retry = (timesLeft: number) => {
        if (timesLeft === 0) return finish();
        timer = after(realClock, RETRY_INTERVAL_MS, () => retry(timesLeft - 1));
        void gateway.send(Simulate, terminalId, { requestId, act });
      };
      pending.set(requestId, { terminalId, settle: finish });
      retry(ATTEMPTS);
    });
  }

  return {
    async perform(terminalId, act) {
      const reply = await request(terminalId, act);
      if (!reply) throw new Refusal('not_simulated');
      if (reply.ok && reply.terminal) return reply.terminal;
      throw new Refusal('simulation_refused', { problem: reply.problem ?? 'the simulator gave no reason' });
    },
  };
}
