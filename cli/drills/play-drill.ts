import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { openBooks, type Drill, type Scene } from './drill.ts';
import type { ShopOrder } from '../../world/verdicts/hunt-facts.ts';
import { openProvider } from './provider.ts';
import { runDrill, type DrillParts, type DrillResult, type RunningDrill } from './run-drill.ts';
import type { Stage } from './stage.ts';

const EVENT_MS = 250;

interface PlayParts extends DrillParts {
  isRight: boolean;
  /** Called when the shop has sold and all deadlines have passed, before what came of it is read. */
  beforeJudging?(): Promise<void>;
  /** Called with the books of the shop at each change. */
  onBooks?(orders: readonly ShopOrder[]): void;
}

/** Plays a drill with the built-in integration, as the wrong or the right one. */
export async function playDrill(name: string, drill: Drill, parts: PlayParts): Promise<DrillResult> {
  const { stage, terminalId, isRight } = parts;
  const endpoints: { close(): Promise<void> }[] = [];
  try {
    return await runDrill(name, drill, parts, async (running) => {
      const { tell, observe, sleep, cardholder } = running;
      const books = openBooks(tell, parts.onBooks);
      const scene: Scene = {
        isRight,
        terminal: `/in-person/terminals/${terminalId}`,
        provider: openProvider({ ...stage, observe, sleep, tell }),
        books,
        tell,
        sleep,
        cardholder,
        control: (method, path, body) => stage.backstage(method, `/sandbox${path}`, body),
        async advance(seconds) {
          await stage.advance(seconds);
          await sleep(EVENT_MS);
        },
        listen: async (...given) => void endpoints.push(await listen(stage, running, ...given)),
      };
      await drill.play(scene);
      return {
        async readBooks() {
          await parts.beforeJudging?.();
          return books.orders();
        },
      };
    });
  } finally {
    for (const endpoint of endpoints) await endpoint.close();
  }
}

async function listen(
  stage: Stage,
  { observe }: RunningDrill,
  eventTypes: readonly string[],
  handle: Parameters<Scene['listen']>[1],
) {
  let registered = (_secret: string): void => {};
  const secret = new Promise<string>((resolve) => (registered = resolve));
  const endpoint = await stage.receive(secret, ({ body, signed }) => {
    // What struck the delivery is told before what the shop makes of it.
    if (signed) void observe().then(() => handle(parseOutsideJson(body)));
  });
  const webhook = { url: endpoint.url, active: true, eventTypes };
  registered((await stage.backstage('POST', '/v1/webhooks', webhook)).secret);
  return endpoint;
}
