import { setTimeout as pause } from 'node:timers/promises';

/** What a process has used. */
export interface ProcessUsage {
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
  /** Resident memory, bytes; after a collection of garbage where it runs with --expose-gc. */
  bytes: number;
}

/** The memory of a process. */
export interface ProcessMemory {
  /** Resident, bytes; after a collection of garbage where it runs with --expose-gc. */
  bytes: number;
  /** Of it what objects take, bytes. */
  heapBytes: number;
}

const SETTLE_MS = 300;

export async function usageOfProcess(): Promise<ProcessUsage> {
  const { user, system } = process.cpuUsage();
  await collectGarbage();
  return { cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() };
}

export async function memoryOfProcess(): Promise<ProcessMemory> {
  await collectGarbage();
  const { rss: bytes, heapUsed: heapBytes } = process.memoryUsage();
  return { bytes, heapBytes };
}

/** Collects garbage twice with a pause, where it can, so that finalizers and pending traffic are done. */
async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 2 && globalThis.gc; times += 1) {
    await pause(SETTLE_MS);
    globalThis.gc();
  }
}
