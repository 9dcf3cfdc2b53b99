import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { pauseMs, spreadOf } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessUsage } from './processes/process-usage.ts';
import type { Result } from './report.ts';
import { openSandboxApi } from './sandbox-api.ts';

const KILOBYTES_MAX = 50;
const LOOK_MS = 500;

/** By these a process loads what it loads once, and grows to what those need that are open at the same time. */
const FIRST = 100;

/** Measures the memory of sandboxes that were used once and sleep, beside the text of their records. */
export async function benchSleepingSandboxes({ quick }: BenchOptions): Promise<Result[]> {
  const count = quick ? 100 : 900;
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const child = startChild('our-server', { exposeGc: true });
  const kilobytes = async () => (await child.ask<ProcessUsage>('usage')).bytes / 1024;
  try {
    const settings = { SANDBOX_SLEEP_AFTER: '1' };
    const started = await child.ask<OurServer>('start', {
      dataDir: folder,
      withTerminal: false,
      hosts: true,
      settings,
    });
    const api = await openSandboxApi(started);
    const fileOf = (name: string, file: string) =>
      readFileSync(join(folder, 'sandboxes', name, file), 'utf8');
    const sleep = async (names: string[]) => {
      for (const name of names) {
        await api.create(name);
        await api.use(name);
      }
      const awake = (name: string) =>
        (JSON.parse(fileOf(name, 'sandbox.json')) as { wakeMs?: number }).wakeMs === 0;
      while (names.some(awake)) await pauseMs(LOOK_MS);
    };
    await sleep(namesFrom(0, FIRST));
    const before = await kilobytes();
    await sleep(namesFrom(FIRST, count));
    const each = ((await kilobytes()) - before) / count;
    const [last] = namesFrom(FIRST, 1);
    const bare =
      ['sandbox.json', 'keys.json'].reduce((sum, file) => sum + fileOf(last!, file).length, 0) / 1024;
    api.close();
    return [
      {
        name: 'sandboxes: memory of one that sleeps',
        unit: 'KB',
        ours: each,
        bare,
        ratio: spreadOf([each / bare]),
        aim: `under ${KILOBYTES_MAX} KB`,
        met: each < KILOBYTES_MAX,
        details: [
          `${count} sandboxes, each created, used once and asleep again: growth of resident memory after garbage collection`,
          `the first ${FIRST} are not counted: by them the process loads what it loads once, and grows to what those need that are open together`,
          'bare: the texts of its record and keys',
        ],
      },
    ];
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function namesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `sleeper-${first + index}`);
}
