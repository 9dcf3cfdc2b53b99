import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import type { ChartLayout } from '../../chart/chart.ts';
import type { MachineShape } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import type { Api } from '../link/api.ts';
import { pageClock } from '../time.ts';

interface DrawnMachine {
  shape: MachineShape;
  layout: ChartLayout;
}

/** Machines do not change while a page is open. */
const known = signal<ReadonlyMap<string, ChartLayout>>(new Map());
const asked = new Set<string>();

function keep(machines: readonly DrawnMachine[]): void {
  known.value = new Map([
    ...known.peek(),
    ...machines.map((one) => [one.shape.machineId, one.layout] as const),
  ]);
}

/** Asks for every machine there is, once: the first look at a terminal then finds its chart. */
export async function askForMachines(api: Api): Promise<void> {
  if (asked.has('')) return;
  asked.add('');
  const answer = await api.get<{ machines: DrawnMachine[] }>('/dashboard/machines');
  if (answer.ok) keep(answer.body.machines);
  else asked.delete('');
}

async function loadLayout(api: Api, machineId: string): Promise<void> {
  if (asked.has(machineId)) return;
  asked.add(machineId);
  const answer = await api.get<DrawnMachine>(`/dashboard/machines/${encodeURIComponent(machineId)}`);
  if (answer.ok) keep([answer.body]);
  else asked.delete(machineId);
}

const RETRY_MS = 2_000;

/** Loads the layout of a machine, again and again until it is there. Returns a function that stops it. */
function loadUntilKnown(api: Api, machineId: string): () => void {
  let stopped = false;
  let timer: Timer | undefined;
  const load = async () => {
    await loadLayout(api, machineId);
    if (!stopped && !known.peek().has(machineId)) timer = after(pageClock, RETRY_MS, () => void load());
  };
  void load();
  return () => {
    stopped = true;
    timer?.cancel();
  };
}

/** How this machine is drawn, as soon as the server has said; undefined until then. */
export function useLayoutOf(machineId: string | null): ChartLayout | undefined {
  const { api, link } = useDashboard();
  const online = link.value.kind === 'online';
  const layout = machineId === null ? undefined : known.value.get(machineId);
  useEffect(() => {
    if (!online) return undefined;
    void askForMachines(api);
    // A terminal may describe its machine later than the page asks for all of them.
    return machineId === null || layout ? undefined : loadUntilKnown(api, machineId);
  }, [machineId, layout === undefined, online]);
  return layout;
}
