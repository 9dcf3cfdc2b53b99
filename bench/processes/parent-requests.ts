import { setTimeout as pause } from 'node:timers/promises';
import type { SessionCreation } from '../../server/api/payments/payment-session-request.schema.ts';

interface Question {
  id: number;
  what: string;
  given: unknown;
}

// oxlint-disable-next-line no-explicit-any -- each handler names what its own parent sends it
type Handler = (given: any) => unknown;

/** Handles the requests of the parent (bench/child.ts). Exits with the parent, or on `stop` after its handler. */
export function handleParentRequests(handlers: Record<string, Handler>): void {
  process.on('message', (message) => {
    const { id, what, given } = message as Question;
    answer(handlers[what], given).then(
      (value) => (what === 'stop' ? process.exit(0) : process.send!({ id, value })),
      (error: unknown) => {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send!({ id, problem });
        if (what === 'stop') process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}

async function answer(handler: Handler | undefined, given: unknown): Promise<unknown> {
  return handler?.(given);
}

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
  const cpuMs = cpuMsOfProcess();
  await collectGarbage();
  return { cpuMs, bytes: process.memoryUsage.rss() };
}

/** Returns the CPU time of the process since its start, milliseconds. */
export function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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

export interface FillRequest {
  count: number;
  /** Body of each object. */
  body: SessionCreation;
  /** Number of ids to return, evenly from oldest to newest. */
  sampleCount: number;
}

/** Returns evenly spaced ids, none of the ten at either end, so that a page follows each. */
export function sampleIds(ids: readonly string[], sampleCount: number): string[] {
  const step = (ids.length - 20) / sampleCount;
  return Array.from({ length: sampleCount }, (_, index) => ids[10 + Math.floor(index * step)]!);
}
