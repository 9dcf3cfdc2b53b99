import { effect, signal } from '@preact/signals';
import type { Dashboard } from '../../../../server/dashboard/page/dashboard.ts';
import type { Api } from '../../../../server/dashboard/page/link/api.ts';
import { createPageState } from '../../../../server/dashboard/page/page-state.ts';
import type { ReportMachine } from '../report-data.ts';
import type { Source } from './source.ts';

/** A dashboard without a server, for the dashboard's components. Its API returns the charts of the machines. */
export function staticDashboard({ machines }: Source): Dashboard {
  const none = async () => ({ ok: false as const, status: 0, problem: 'There is no server.' });
  const get = async (path: string) => {
    if (path === '/dashboard/machines') {
      const all = await whenDefined(() => (machines.value.length > 0 ? machines.value : undefined));
      return { ok: true, body: { machines: all } };
    }
    const isRequested = ({ shape }: ReportMachine) =>
      path.endsWith(`/${encodeURIComponent(shape.machineId)}`);
    return { ok: true, body: await whenDefined(() => machines.value.find(isRequested)) };
  };
  return {
    state: createPageState(() => {}),
    api: { get: get as Api['get'], post: none, delete: none, send: async () => false },
    session: { token: async () => '', forget: () => {}, enter: async () => false },
    link: signal({ kind: 'online' }),
    connection: { send: () => {}, retryNow: () => {}, close: () => {} },
  };
}

/** Resolves with the first value that is not undefined: in a live run, a machine may be described later. */
function whenDefined<T>(look: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const seen = look();
      if (seen === undefined) return;
      resolve(seen);
      queueMicrotask(() => stop());
    });
  });
}
