import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessUsage } from './processes/parent-requests.ts';

// Linux counts CPU time in hundredths of a second and memory in pages of 4 KB on the usual processors.
const TICK_MS = 10;
const PAGE_BYTES = 4096;
// In the fields of proc(5) that follow the name.
const [PARENT, USER_TICKS, SYSTEM_TICKS, CHILDREN_USER_TICKS, CHILDREN_SYSTEM_TICKS, RESIDENT_PAGES] = [
  1, 11, 12, 13, 14, 21,
];

/** Reads what a process that takes no orders has used; none where there is no /proc. */
export function usageOf(pid: number): ProcessUsage {
  const fields = fieldsOf(pid);
  if (!fields) return { cpuMs: Number.NaN, bytes: Number.NaN };
  return { cpuMs: ticksOf(fields) * TICK_MS, bytes: fields[RESIDENT_PAGES]! * PAGE_BYTES };
}

/** Reads the CPU time of a process and its children, those that have ended included, milliseconds; NaN where there is no /proc. */
export function cpuMsWithChildren(pid: number): number {
  const parent = fieldsOf(pid);
  if (!parent) return Number.NaN;
  const ended = parent[CHILDREN_USER_TICKS]! + parent[CHILDREN_SYSTEM_TICKS]!;
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fieldsOf(Number(name)))
    .filter((fields) => fields?.[PARENT] === pid);
  const ticks = running.reduce((sum, fields) => sum + ticksOf(fields!), ticksOf(parent) + ended);
  return ticks * TICK_MS;
}

const ticksOf = (fields: readonly number[]) => fields[USER_TICKS]! + fields[SYSTEM_TICKS]!;

/** Reads the fields that follow the name; undefined for a process that has ended. */
function fieldsOf(pid: number): number[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}
