import { parseOutsideJson } from '../../protocol/outside-json.ts';
import type { DrillPlayer, DrillWatcher, PlayedDrill } from '../../server/dashboard/drills/drill-player.ts';
import type { DrillMoney, ListedDrill, ShopKind } from '../../server/dashboard/drills/drill-view.ts';
import type { ShopOrder } from '../../world/verdicts/hunt-facts.ts';
import { createApi, httpTransport } from '../client/api-client.ts';
import { downloadedFile } from '../client/file-transfer.ts';
import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';
import type { DrillHost } from '../server/sandbox-hosting.ts';
import { CURRENCY, type Drill } from './drill.ts';
import { createDrillSandbox, type DrillSandbox } from './drill-sandbox.ts';
import { DRILLS } from './drills.ts';
import type { Judgement } from './judge.ts';
import { playDrill } from './play-drill.ts';
import type { Backstage, Json, Stage } from './stage.ts';

interface DrillServer extends DrillHost {
  /** Whether terminals of a new sandbox are simulated. */
  simulates: boolean;
}

/** Returns what plays drills at a server with the built-in shops, over HTTP as `tapbench drill` does. */
export function createDrillPlayer(context: CommandContext, server: DrillServer): DrillPlayer {
  return {
    currency: CURRENCY,
    drills: Object.entries(DRILLS).map(([name, drill]) => listed(name, drill, server)),
    async play(name, shop, watcher, ending) {
      const until = { ...context, interrupted: ending };
      const url = server.url();
      const hostOf = (its: CommandContext) =>
        createApi(its, httpTransport(its, { url }), { url, secretKey: server.key });
      const sandbox = await createDrillSandbox(until, {
        host: hostOf(until),
        name,
        drill: DRILLS[name]!,
        from: undefined,
        keepsWebhooks: false,
      });
      try {
        return await playIn(sandbox, until, { name, shop, watcher });
      } finally {
        // One that cannot be deleted now is deleted when it was not used for an hour.
        const host = hostOf(uninterrupted(context));
        await host.call('DELETE /sandboxes/{name}', { params: { name: sandbox.name } }).catch(() => {});
      }
    },
  };
}

function listed(
  name: string,
  { play: _play, task: _task, twin: _twin, settledAs: _settledAs, onTerminal, page, ...drill }: Drill,
  { simulates, strikes }: DrillServer,
): ListedDrill {
  const unavailable = !strikes
    ? 'this server ignores plans of faults: start it without FAULTS=off'
    : onTerminal && !simulates
      ? "it needs a simulated terminal: start the server with 'tapbench up', without SIM_AUTOSTART=off"
      : null;
  return { name, ...drill, page: `docs/${page}`, unavailable };
}

interface Play {
  name: string;
  shop: ShopKind;
  watcher: DrillWatcher;
}

async function playIn(
  sandbox: DrillSandbox,
  context: CommandContext,
  { name, shop, watcher }: Play,
): Promise<PlayedDrill> {
  const { url, secretKey, backstage } = sandbox.stage;
  const title = `Drill ${name}, the ${shop} shop`;
  const recording = await backstage('POST', '/sandbox/recordings', { title });
  let trace: Buffer = Buffer.alloc(0);
  const readMoney = moneyReader(backstage, watcher);
  const result = await playDrill(name, DRILLS[name]!, {
    ...sandbox,
    stage: watched(sandbox.stage, context.interrupted, { ...watcher, onOccurrence: seen }),
    isRight: shop === 'right',
    onStep: (step) => seen({ kind: 'step', ...step }),
    onBooks: watcher.onBooks,
    async beforeJudging() {
      const path = `/sandbox/recordings/${recording.id}/file`;
      trace = await downloadedFile(context, { url, secretKey }, path);
    },
  });
  function seen(occurrence: Parameters<DrillWatcher['onOccurrence']>[0]): void {
    watcher.onOccurrence(occurrence);
    readMoney();
  }
  const { verdict, inconclusive, taken, refunded, disputed, orders = [] } = result;
  const money = { taken, refunded, disputed };
  return { verdict, inconclusive, apart: amountApart(result, orders), money, orders, trace };
}

/** Returns the stage with calls and events of the shop told to a watcher. The calls end at the signal. */
function watched(stage: Stage, signal: AbortSignal, { onOccurrence }: DrillWatcher): Stage {
  return {
    ...stage,
    fetch: async (input, init) => {
      const { method = 'GET' } = init ?? {};
      const path = String(input).slice(stage.url.length).split('?')[0]!;
      const tell = (status: number | null) => onOccurrence({ kind: 'call', method, path, status });
      try {
        const reply = await stage.fetch(input, { ...init, signal });
        tell(reply.status);
        return reply;
      } catch (thrown) {
        tell(null);
        throw thrown;
      }
    },
    receive: (secret, onDelivery) =>
      stage.receive(secret, (delivery) => {
        if (delivery.signed) {
          const { eventType }: Json = parseOutsideJson(delivery.body);
          onOccurrence({ kind: 'event', eventType });
        }
        onDelivery(delivery);
      }),
  };
}

/** The sum that a transaction of a type is part of, and its sign there. */
const SUMS: Record<string, [sum: keyof DrillMoney, sign: 1 | -1]> = {
  Capture: ['taken', 1],
  Refund: ['refunded', 1],
  Chargeback: ['disputed', 1],
  ChargebackReversal: ['disputed', -1],
};

/**
 * Returns a function that reads the money of a sandbox and tells a watcher, one read at a time. It reads under `/sandbox`,
 * where nothing is struck and no rate limit is; what fails is read at the next call.
 */
function moneyReader(backstage: Backstage, { onMoney }: DrillWatcher): () => void {
  let reading = false;
  let again = false;
  async function read(): Promise<void> {
    reading = true;
    do {
      again = false;
      const { items } = await backstage('GET', '/sandbox/objects?type=transaction&limit=50');
      const money = { taken: 0, refunded: 0, disputed: 0 };
      for (const { label, status, amount } of items) {
        const [sum, sign] = SUMS[label] ?? [];
        if (sum && sign && status === 'Succeeded') money[sum] += sign * amount;
      }
      onMoney(money);
    } while (again);
  }
  return () => {
    again = true;
    if (!reading)
      read()
        .catch(() => {})
        .finally(() => (reading = false));
  };
}

/** Returns how far money and books are apart, order by order, in minor units. */
function amountApart({ payments }: Judgement, orders: readonly ShopOrder[]): number {
  const apart = new Map<string, number>();
  const add = (orderId: string, amount: number) =>
    void apart.set(orderId, (apart.get(orderId) ?? 0) + amount);
  for (const { orderId = '', captured, refundedAmount, chargedBack } of payments)
    if (captured > 0) add(orderId, captured - refundedAmount - chargedBack);
  for (const { orderId, paid, amount, refunded = 0 } of orders) if (paid) add(orderId, refunded - amount);
  return [...apart.values()].reduce((sum, amount) => sum + Math.abs(amount), 0);
}
