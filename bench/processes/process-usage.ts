import { setTimeout as pause } from 'node:timers/promises';

/** What a process has used. */
export interface ProcessUsage {
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
  /** Resident memory, bytes; after a collection of garbage where it runs with --expose-gc. */
  bytes: number;
}

const SETTLE_MS = 300;

/** Collects garbage twice with a pause, where it can, so that finalizers and pending traffic are done. */
export async function usageOfProcess(): Promise<ProcessUsage> {
  const { user, system } = process.cpuUsage();
  for (let times = 0; times < 2 && globalThis.gc; times += 1) {
    await pause(SETTLE_MS);
    globalThis.gc();
  }
  return { cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() };
}
