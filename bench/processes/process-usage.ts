/** What a process has used. */
export interface ProcessUsage {
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
  /** Resident memory, bytes; after a collection of garbage where it runs with --expose-gc. */
  bytes: number;
}

export function usageOfProcess(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  globalThis.gc?.();
  return { cpuMs, bytes: process.memoryUsage.rss() };
}
