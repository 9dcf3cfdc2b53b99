import { usageOfProcess, type ProcessUsage } from './parent-requests.ts';

export interface FleetOrder {
  url: string;
  mqttUrl: string;
  secretKey: string;
  count: number;
}

/** Resources are what the process used for the fleet. */
export interface FleetResult extends ProcessUsage {
  /** Time from the start until each terminal was online, milliseconds, in order. */
  onlineAtMs: number[];
}

/** Runs a fleet and resolves when `count` terminals were online. `run` calls `online` for each. */
export async function runFleet(
  count: number,
  run: (online: () => void) => Promise<void>,
): Promise<FleetResult> {
  const before = await usageOfProcess();
  const onlineAtMs: number[] = [];
  const startMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    const online = () => {
      onlineAtMs.push(performance.now() - startMs);
      if (onlineAtMs.length === count) resolve();
    };
    run(online).catch(reject);
  });
  const { cpuMs, bytes } = await usageOfProcess();
  return { onlineAtMs, cpuMs: cpuMs - before.cpuMs, bytes: bytes - before.bytes };
}
