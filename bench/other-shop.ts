import { join } from 'node:path';
import { startProgram } from '../test/system/kit/child-command.ts';
import { waitFor } from '../test/system/kit/wait-for.ts';
import { openTills, TERMINALS, type RunningServer, type Shop } from './payment-shop.ts';
import { usageOf } from './process-usage.ts';
import type { WebhookSink } from './webhook-sink.ts';

/** A `tapbench server` of another checkout. */
interface OtherServer extends RunningServer {
  mqttUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the server of a built checkout by its command, which every version has. */
export async function startOtherServer(checkout: string, dataDir: string): Promise<OtherServer> {
  const settings = { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', RATE_LIMIT: 'off' };
  const server = startTapbench(checkout, ['server', '--json'], settings);
  const [line] = await server.prints(/^{.*}$/m);
  const running = JSON.parse(line) as RunningServer & { mqttUrl: string };
  return { ...running, pid: server.pid, stop: async () => void (await server.kill('SIGINT')) };
}

// As long as a round may take.
const ONLINE_MS_MAX = 60_000;

/** Starts simulated terminals by `tapbench sim` of a checkout. Resolves when all are online, with what ends them. */
export async function startOtherTerminals(
  checkout: string,
  { url, mqttUrl, secretKey }: OtherServer,
  count: number,
): Promise<() => Promise<void>> {
  const flags = ['--terminals', String(count), '--delay', '0', '--mqtt', mqttUrl, '--url', url, '--json'];
  const sim = startTapbench(checkout, ['sim', ...flags], { SECRET_KEY: secretKey });
  await waitFor(`${count} terminals of the other checkout`, () => sim.stdout.includes('}'), ONLINE_MS_MAX);
  return async () => void (await sim.kill('SIGINT'));
}

/** Starts the shop of another checkout. Its simulated readers take 50 ms, which ours do not. */
export async function openOtherShop(checkout: string, dataDir: string, sink: WebhookSink): Promise<Shop> {
  const server = await startOtherServer(checkout, dataDir);
  let stopTerminals = async () => {};
  const tills = await openTills([server], sink, async () => {
    stopTerminals = await startOtherTerminals(checkout, server, TERMINALS);
  });
  return {
    usage: async () => usageOf(server.pid),
    pay: tills.pay,
    async close() {
      tills.close();
      await stopTerminals();
      await server.stop();
    },
  };
}

function startTapbench(checkout: string, args: string[], env: Record<string, string>) {
  return startProgram(process.execPath, [join(checkout, 'dist/cli/main.js'), ...args], { env });
}
