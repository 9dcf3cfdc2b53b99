import type { StepRunner } from '../../cli/trigger/run-step.ts';
import type { World } from '../../testing/world/world.ts';

/** Sends the requests of a path to a world, where time passes while it waits. */
export function stepRunnerOf({ api, advance, clock }: World): StepRunner {
  return {
    async send({ method, path, account, body }) {
      const caller = account === undefined ? api : api.as(account);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await caller.raw(method, path, text, headers);
      const { nowTimestamp = 0 } = answer.body;
      // A world advances its clock after the reply, because what becomes due runs first.
      await advance({ ms: Math.max(0, nowTimestamp * 1000 - clock.nowMs()) });
      return answer;
    },
    pause: (ms) => advance({ ms }),
  };
}
