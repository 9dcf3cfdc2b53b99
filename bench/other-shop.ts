import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../test/system/kit/child-command.ts';
import { waitFor } from '../test/system/kit/wait-for.ts';
import { openTills, TERMINALS, type RunningServer, type Shop } from './payment-shop.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';
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
  const tills = await openTills(server, sink, async () => {
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

// Linux counts CPU time in hundredths of a second and memory in pages of 4 KB on the usual processors.
const TICK_MS = 10;
const PAGE_BYTES = 4096;
// In the fields of proc(5) that follow the name.
const [USER_TICKS, SYSTEM_TICKS, RESIDENT_PAGES] = [11, 12, 21];

/** Reads what a process that takes no orders has used; none where there is no /proc. */
function usageOf(pid: number): ProcessUsage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields[USER_TICKS]! + fields[SYSTEM_TICKS]!;
    return { cpuMs: ticks * TICK_MS, bytes: fields[RESIDENT_PAGES]! * PAGE_BYTES };
  } catch {
    return { cpuMs: Number.NaN, bytes: Number.NaN };
  }
}
