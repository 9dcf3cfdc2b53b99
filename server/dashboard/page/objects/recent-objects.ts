import { computed } from '@preact/signals';
import type { PageState } from '../page-state.ts';
import { kindOf } from './object-kinds.ts';

interface RecentObject {
  id: string;
  name: string;
  terminalName: string;
  atMs: number;
}

const RECENT_MAX = 60;

/** Payment sessions of the latest action of each terminal, newest first. */
export function recentObjects({ fleet: { ids: all, get, revision } }: PageState) {
  return computed(() => {
    void revision.value;
    return all.value
      .flatMap((id): RecentObject[] => {
        const { action, name } = get(id)?.peek() ?? {};
        const kind = action && kindOf(action.paymentSessionId);
        return kind
          ? [{ id: action.paymentSessionId, name: kind.name, terminalName: name!, atMs: action.startedMs }]
          : [];
      })
      .sort((a, b) => b.atMs - a.atMs)
      .filter(({ id }, index, list) => list.findIndex((other) => other.id === id) === index)
      .slice(0, RECENT_MAX);
  });
}
