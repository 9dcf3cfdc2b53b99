import { onTestFinished } from 'vitest';
import { verifySignature } from '../../../server/platform/outbox/signature.ts';
import type { Drill } from '../../../cli/drills/drill.ts';
import { playDrill } from '../../../cli/drills/play-drill.ts';
import type { DrillResult } from '../../../cli/drills/run-drill.ts';
import type { Stage } from '../../../cli/drills/stage.ts';
import { delay } from '../../../protocol/clock.ts';
import { successOf } from '../../../testing/world/api.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

const RETRY_MS = 1_000;

/** Plays a drill in a world of its own, on virtual time, with the rate limit that a server has. */
export async function playInWorld(name: string, drill: Drill, isRight: boolean): Promise<DrillResult> {
  const world = await startWorld({ pacedByDevices: true, settings: { rateLimit: 'on' } });
  onTestFinished(() => world.close());
  const { twin } = drill;
  const terminal = drill.onTerminal && (await world.addTerminal(twin === undefined ? {} : { twin }));
  const terminalId = terminal ? terminal.terminalId : undefined;
  let isOver = false;
  const playing = playDrill(name, drill, { stage: stageOf(world), terminalId, isNew: true, isRight });
  void playing.finally(() => (isOver = true)).catch(() => {});
  while (!isOver) await world.advance({ seconds: 1 });
  return playing;
}

function stageOf(world: World): Stage {
  const { publicUrl, secretKey } = world.server.services.settings;
  return {
    url: publicUrl,
    secretKey,
    fetch: world.fetch,
    async backstage(method, path, body, subAccountId) {
      const api = subAccountId === undefined ? world.api : world.api.as(subAccountId);
      for (;;) {
        const answer = await api[method === 'GET' ? 'get' : 'post'](path, body);
        if (answer.status !== 429) return successOf(answer, `${method} ${path}`);
        await delay(world.clock, RETRY_MS);
      }
    },
    sleep: (ms) => delay(world.clock, ms),
    advance: (seconds) => world.advance({ seconds }),
    async receive(secret, onDelivery) {
      const receiver = world.receivers.open('shop');
      receiver.behaviour = async ({ body, signature }) => {
        onDelivery({ body, signed: verifySignature(await secret, body, signature) });
        return 200;
      };
      return { url: receiver.url, close: async () => {} };
    },
  };
}
