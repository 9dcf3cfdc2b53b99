import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { FleetTerminal } from '../../view.ts';
import { groupOf, type Group, compareTerminals } from './fleet-list.ts';

/** The registered terminals, each a signal of its own, so that a change redraws one tile. */
export interface Registry {
  /** In the order of `compareTerminals`. */
  readonly ids: ReadonlySignal<readonly string[]>;
  get(id: string): ReadonlySignal<FleetTerminal> | undefined;
  readonly counts: ReadonlySignal<Readonly<Record<Group, number>>>;
  /** Increases with each batch of changes. */
  readonly revision: ReadonlySignal<number>;
  /** Adds or replaces a terminal. @returns the previous value */
  set(terminal: FleetTerminal): FleetTerminal | undefined;
  /** Removes all other terminals. */
  retain(ids: ReadonlySet<string>): void;
  remove(id: string): void;
  /** Sorts `ids` and updates `counts`. Call it after a batch of changes. */
  refresh(): void;
}

export function createRegistry(): Registry {
  const terminals = new Map<string, Signal<FleetTerminal>>();
  const ids = signal<readonly string[]>([]);
  const revision = signal(0);
  let orderChanged = false;

  const counts = computed(() => {
    void revision.value;
    const found: Record<Group, number> = { all: 0, active: 0, failed: 0, offline: 0 };
    for (const terminal of terminals.values()) {
      found.all += 1;
      const group = groupOf(terminal.peek());
      if (group) found[group] += 1;
    }
    return found;
  });

  const remove = (id: string) => {
    orderChanged = terminals.delete(id) || orderChanged;
  };
  return {
    ids,
    get: (id) => terminals.get(id),
    counts,
    revision,
    set(terminal) {
      const known = terminals.get(terminal.id);
      const before = known?.peek();
      if (known) known.value = terminal;
      else terminals.set(terminal.id, signal(terminal));
      orderChanged ||= before?.name !== terminal.name || before.online !== terminal.online;
      return before;
    },
    retain(kept) {
      for (const id of terminals.keys()) if (!kept.has(id)) remove(id);
    },
    remove,
    refresh() {
      if (orderChanged) ids.value = sortedIds(terminals);
      orderChanged = false;
      revision.value += 1;
    },
  };
}

function sortedIds(terminals: ReadonlyMap<string, Signal<FleetTerminal>>): string[] {
  return [...terminals.values()]
    .map((terminal) => terminal.peek())
    .sort(compareTerminals)
    .map(({ id }) => id);
}
