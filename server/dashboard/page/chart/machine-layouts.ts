import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import type { ChartLayout, DrawnMachine } from '../../chart/chart.ts';
import { useDashboard } from '../dashboard.ts';
import type { PageApi } from '../link/api.ts';
import { pageClock } from '../time.ts';

/** Layouts by machine id. Machines do not change while a page is open. */
const layouts = signal<ReadonlyMap<string, ChartLayout>>(new Map());
/** The machines that the server does not have: their terminals have not described them since it started. */
const missing = signal<ReadonlySet<string>>(new Set());
const requested = new Set<string>();

function store(machines: readonly DrawnMachine[]): void {
  layouts.value = new Map([
    ...layouts.peek(),
    ...machines.map((one) => [one.shape.machineId, one.layout] as const),
  ]);
}

/** Loads the layouts of all machines, once, so that the first terminal opened shows its chart at once. */
export async function loadMachines(api: PageApi): Promise<void> {
  if (requested.has('')) return;
  requested.add('');
  const answer = await api.get<{ machines: DrawnMachine[] }>('/dashboard/machines');
  if (answer.ok) store(answer.body.machines);
  else requested.delete('');
}

async function loadLayout(api: PageApi, machineId: string): Promise<void> {
  if (requested.has(machineId)) return;
  requested.add(machineId);
  const answer = await api.get<DrawnMachine>(`/dashboard/machines/${encodeURIComponent(machineId)}`);
  if (answer.ok) return store([answer.body]);
  requested.delete(machineId);
  if (answer.status === 404) missing.value = new Set([...missing.peek(), machineId]);
}

const RETRY_MS = 2_000;

/** Loads the layout of a machine, with retries until the server has it. Returns a function that stops the retries. */
function loadUntilKnown(api: PageApi, machineId: string): () => void {
  let stopped = false;
  let timer: Timer | undefined;
  const load = async () => {
    await loadLayout(api, machineId);
    if (!stopped && !layouts.peek().has(machineId)) timer = after(pageClock, RETRY_MS, () => void load());
  };
  void load();
  return () => {
    stopped = true;
    timer?.cancel();
  };
}

/** A machine as the page knows it. The server may get one that is missing later. */
interface KnownMachine {
  layout: ChartLayout | undefined;
  isMissing: boolean;
}

/** Returns the layout of a machine; undefined until it is loaded. */
export function useMachineLayout(machineId: string | null): KnownMachine {
  const { api, link } = useDashboard();
  const online = link.value.kind === 'online';
  const layout = machineId === null ? undefined : layouts.value.get(machineId);
  useEffect(() => {
    if (!online) return undefined;
    void loadMachines(api);
    // A terminal may describe its machine after all machines were loaded.
    return machineId === null || layout ? undefined : loadUntilKnown(api, machineId);
  }, [machineId, layout === undefined, online]);
  return { layout, isMissing: !layout && machineId !== null && missing.value.has(machineId) };
}

/** Returns the layout of a machine that is not described: none of its states is known. */
export function undescribedLayout(machineId: string): ChartLayout {
  return { machineId, width: 0, height: 0, states: [], starts: [], transitions: [] };
}

const LABELS: Record<string, string> = {
  action: 'Terminal',
  serverAction: 'Server',
  paymentSession: 'Payment session',
  subscription: 'Subscription',
  dispute: 'Dispute',
  payout: 'Payout',
  verification: 'Verification',
};

/** Returns the label of a machine; its id when it has no label. */
export function machineLabel(machineId: string): string {
  return LABELS[machineId] ?? machineId;
}
