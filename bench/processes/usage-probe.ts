import { readdirSync } from 'node:fs';
import { handleParentRequests, memoryOfProcess, cpuMsOfProcess } from './parent-requests.ts';

/** What a server holds. */
export interface Holdings {
  /** Resident memory after a collection of garbage, bytes. */
  bytes: number;
  /** Open files, sockets included. */
  files: number;
  /** What keeps the event loop alive: timers, sockets, servers. */
  handles: number;
}

/** Loaded into the command of any checkout by `--import`, it reports to the parent what the process holds. */
handleParentRequests({
  cpuMs: cpuMsOfProcess,
  async holdings(): Promise<Holdings> {
    const { bytes } = await memoryOfProcess();
    return {
      bytes,
      files: readdirSync('/proc/self/fd').length,
      handles: process.getActiveResourcesInfo().length,
    };
  },
});
