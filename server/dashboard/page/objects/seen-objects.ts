import { computed } from '@preact/signals';
import type { PageState } from '../page-state.ts';
import { kindOf } from './object-kinds.ts';

interface SeenObject {
  id: string;
  name: string;
  /** Where it was seen. */
  by: string;
  atMs: number;
}

const SEEN_MAX = 60;

/** Objects that can be looked at, from what the terminals do and did last; the latest first. */
export function seenObjects({ fleet: { ids: all, get, revision } }: PageState) {
  return computed(() => {
    void revision.value;
    return all.value
      .flatMap((id): SeenObject[] => {
        const { action, name } = get(id)?.peek() ?? {};
        const kind = action && kindOf(action.paymentSessionId);
        return kind
          ? [{ id: action.paymentSessionId, name: kind.name, by: name!, atMs: action.startedMs }]
          : [];
      })
      .sort((a, b) => b.atMs - a.atMs)
      .filter(({ id }, index, list) => list.findIndex((other) => other.id === id) === index)
      .slice(0, SEEN_MAX);
  });
}
