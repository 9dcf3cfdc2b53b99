import { ACTION_MACHINE } from '../agent/inspection.ts';
import type { ChartLayout } from '../server/dashboard/chart/chart.ts';
import { layOut } from '../server/dashboard/chart/layout.ts';
import { SERVER_MACHINES } from '../server/machines.ts';

/** Lays out the machines that come with Tapbench, for the build. Returns the layouts by shape as JSON. */
export async function layOutMachines(): Promise<Record<string, ChartLayout>> {
  const shapes = [...SERVER_MACHINES, ACTION_MACHINE];
  const layouts = await Promise.all(
    shapes.map(async (shape) => [JSON.stringify(shape), await layOut(shape)] as const),
  );
  return Object.fromEntries(layouts);
}
