import { setTimeout as pause } from 'node:timers/promises';

const SETTLE_MS = 300;

/** What a process has used: CPU time since its start, and resident memory now. */
export interface ProcessResources {
  cpuMs: number;
  bytes: number;
}

/**
 * Returns what this process, which runs with --expose-gc, has used. Collects garbage twice with a pause before it
 * reads the memory, so that finalizers and pending traffic are done.
 */
export async function processResources(): Promise<ProcessResources> {
  const { user, system } = process.cpuUsage();
  for (let times = 0; times < 2; times += 1) {
    await pause(SETTLE_MS);
    globalThis.gc!();
  }
  return { cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() };
}
