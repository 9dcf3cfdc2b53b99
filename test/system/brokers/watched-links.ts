import type { Clock } from '../../../protocol/clock.ts';
import type { Connector } from '../../../protocol/link.ts';

interface WatchedLinks {
  connect: Connector;
  /** How long the link of a client was without a connection since an instant, milliseconds. */
  awayMs(clientId: string, sinceMs: number): number;
}

/** Wraps a connector, so that a test knows when each link had a connection, as the client sees it. */
export function watchLinks(connect: Connector, clock: Clock): WatchedLinks {
  const changes = new Map<string, { atMs: number; online: boolean }[]>();
  return {
    connect(plan) {
      const seen: { atMs: number; online: boolean }[] = [];
      changes.set(plan.credentials.clientId, seen);
      const note = (online: boolean) => seen.push({ atMs: clock.nowMs(), online });
      const { handlers } = plan;
      return connect({
        ...plan,
        handlers: {
          ...handlers,
          online: () => (note(true), handlers.online()),
          offline: () => (note(false), handlers.offline()),
        },
      });
    },
    awayMs(clientId, sinceMs) {
      const seen = [...(changes.get(clientId) ?? []), { atMs: clock.nowMs(), online: true }];
      let away = 0;
      let isOnline = false;
      let fromMs = -Infinity;
      for (const { atMs, online } of seen) {
        if (!isOnline) away += Math.max(0, atMs - Math.max(fromMs, sinceMs));
        isOnline = online;
        fromMs = atMs;
      }
      return away;
    },
  };
}
