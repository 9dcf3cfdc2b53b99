import { effect, signal } from '@preact/signals';
import type { Dashboard } from '../../../../server/dashboard/page/dashboard.ts';
import type { Api } from '../../../../server/dashboard/page/link/api.ts';
import { createPageState } from '../../../../server/dashboard/page/page-state.ts';
import type { ReportMachine } from '../report-data.ts';
import type { Source } from './source.ts';

/** What the views of the dashboard ask for, answered without a server: the charts of the machines. */
export function staticDashboard({ machines }: Source): Dashboard {
  const none = async () => ({ ok: false as const, status: 0, problem: 'There is no server.' });
  const get = async (path: string) => {
    if (path === '/dashboard/machines') {
      const all = await found(() => (machines.value.length > 0 ? machines.value : undefined));
      return { ok: true, body: { machines: all } };
    }
    const isAsked = ({ shape }: ReportMachine) => path.endsWith(`/${encodeURIComponent(shape.machineId)}`);
    return { ok: true, body: await found(() => machines.value.find(isAsked)) };
  };
  return {
    state: createPageState(() => {}),
    api: { get: get as Api['get'], post: none },
    session: { token: async () => '', forget: () => {}, enter: async () => false },
    link: signal({ kind: 'online' }),
    connection: { send: () => {}, retryNow: () => {}, close: () => {} },
  };
}

/** Of a run that has just begun it may not be known yet: then as soon as it is. */
function found<T>(look: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const seen = look();
      if (seen === undefined) return;
      resolve(seen);
      queueMicrotask(() => stop());
    });
  });
}
