import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { DrawnMachine } from '../../chart/chart.ts';
import type { Dashboard } from '../dashboard.ts';
import type { PageApi } from '../link/api.ts';
import { createPageState } from '../page-state.ts';
import type { RecordedTerminals } from './recorded-device.tsx';

interface StaticParts {
  machines: ReadonlySignal<readonly DrawnMachine[]>;
  receipts: RecordedTerminals['receipts'];
  /** Whether no machine will be added. */
  over: boolean;
}

/** A dashboard without a server, for the dashboard's components. Its API returns charts and receipts. */
export function staticDashboard({ machines, receipts, over }: StaticParts): Dashboard {
  const none = async () => ({ ok: false as const, status: 0, problem: 'There is no server.' });
  const get = async (path: string) => {
    const id = decodeURIComponent(path.split('/').at(-1)!);
    if (path === '/dashboard/machines') {
      if (!over) await whenDefined(() => machines.value[0]);
      return { ok: true, body: { machines: machines.peek() } };
    }
    if (path === '/dashboard/cards') return { ok: true, body: { cards: [] } };
    if (path.startsWith('/dashboard/receipts/'))
      return receipts.has(id) ? { ok: true, body: receipts.get(id) } : none();
    const described = () => machines.value.find(({ shape }) => shape.machineId === id);
    const machine = over ? described() : await whenDefined(described);
    return machine
      ? { ok: true, body: machine }
      : { ok: false, status: 404, problem: 'No machine of this id was described.' };
  };
  return {
    state: createPageState(() => {}),
    api: {
      answer: none,
      call: none,
      get: get as PageApi['get'],
      post: none,
      download: none,
      send: async () => false,
    },
    session: { token: async () => '', forget: () => {}, enter: async () => false },
    link: signal({ kind: 'online' }),
    connection: { send: () => {}, retryNow: () => {}, close: () => {} },
    randomKey: () => '',
    isStatic: true,
  };
}

/** Resolves with the first value that is not undefined: in a live run, a machine may be described later. */
function whenDefined<T>(check: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const seen = check();
      if (seen === undefined) return;
      resolve(seen);
      queueMicrotask(() => stop());
    });
  });
}

/** Reads the compressed JSON of a block of a page that is one file: this one, unless another is given. */
export async function readBlock<T>(id: string, page: Document = document): Promise<T> {
  const compressed = atob(page.getElementById(id)!.textContent);
  const bytes = Uint8Array.from(compressed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as T;
}
