import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import type { Context } from '../context.ts';
import type { Queries, Row, Transaction } from '../store/store.ts';

/** What a fault takes from a terminal for a while; `messages`: its network, and each message from and to it. */
export type Taken = 'power' | 'network' | 'messages' | 'reader';

interface RecoveryRow extends Row {
  terminal_id: string;
  what: Taken;
  /** Time of the sandbox. */
  due_ms: number;
}

/**
 * What faults took from terminals, and when it is given back. It is stored: a restart, a fork and a snapshot give it back
 * at its time.
 */
export interface Recoveries {
  /** Takes note that something is gone, and gives it back after some real time. */
  giveBackLater(terminalId: string, what: Taken, delayMs: number): void;
  /** Whether something of a terminal is gone. */
  isTaken(terminalId: string, what: Taken): boolean;
  /**
   * Returns in words what is gone that a copy does not get back just as here: a terminal with its power back asks what it
   * missed while it goes on, and which comes first is not the same.
   */
  heldBack(): string[];
  /** Reads what a sandbox on this store, or the one that it is a copy of, has not given back. */
  start(): Promise<void>;
  /** Returns whether something changed that is not stored yet. */
  hasChanges(): boolean;
  /** Notes when the rest is due: while it waits, the clock of the sandbox may have been advanced. */
  refresh(): void;
  /** Returns the changes until now; they then count as stored. */
  takeChanges(): TakenChanges;
  /** Forgets all, as after a reset, whose terminals are gone. */
  clear(): void;
  stop(): void;
}

interface TakenChanges {
  save(tx: Transaction): Promise<void>;
  /** Lets them count as not stored again. */
  putBack(): void;
}

interface RecoveryParts extends Pick<Context, 'clock' | 'store'> {
  realClock: Clock;
  giveBack(terminalId: string, what: Taken): void;
  /** Called when something changed. */
  onChange(): void;
}

interface Pending {
  terminalId: string;
  what: Taken;
  dueRealMs: number;
  timer: Timer;
}

const keyOf = (terminalId: string, what: Taken) => `${terminalId} ${what}`;

export function createRecoveries({ clock, realClock, store, giveBack, onChange }: RecoveryParts): Recoveries {
  const pending = new Map<string, Pending>();
  const changed = new Map<string, Pick<Pending, 'terminalId' | 'what'>>();
  let isStopped = false;

  function add(terminalId: string, what: Taken, delayMs: number): void {
    const key = keyOf(terminalId, what);
    // What is taken again is given back when the later fault says so.
    pending.get(key)?.timer.cancel();
    const timer = after(realClock, delayMs, () => {
      pending.delete(key);
      changed.set(key, { terminalId, what });
      onChange();
      giveBack(terminalId, what);
    });
    pending.set(key, { terminalId, what, dueRealMs: realClock.nowMs() + delayMs, timer });
  }

  async function write(tx: Transaction, { terminalId, what }: Pick<Pending, 'terminalId' | 'what'>) {
    await tx.run('DELETE FROM fault_recoveries WHERE terminal_id = ? AND what = ?', terminalId, what);
    const waits = pending.get(keyOf(terminalId, what));
    if (!waits) return;
    const dueMs = Math.ceil(clock.nowMs() + Math.max(0, waits.dueRealMs - realClock.nowMs()));
    await tx.run(
      'INSERT INTO fault_recoveries (terminal_id, what, due_ms) VALUES (?, ?, ?)',
      terminalId,
      what,
      dueMs,
    );
  }

  return {
    giveBackLater(terminalId, what, delayMs) {
      if (isStopped) return;
      add(terminalId, what, delayMs);
      changed.set(keyOf(terminalId, what), { terminalId, what });
      onChange();
    },
    isTaken: (terminalId, what) => pending.has(keyOf(terminalId, what)),
    heldBack: () =>
      [...pending.values()].some(({ what }) => what === 'power') ? ['the power of a terminal'] : [],
    async start() {
      for (const { terminal_id, what, due_ms } of await allRecoveries(store))
        add(terminal_id, what, Math.max(0, due_ms - clock.nowMs()));
    },
    hasChanges: () => changed.size > 0,
    refresh() {
      for (const [key, { terminalId, what }] of pending) changed.set(key, { terminalId, what });
    },
    takeChanges() {
      const changes = new Map(changed);
      changed.clear();
      return {
        async save(tx) {
          for (const change of changes.values()) await write(tx, change);
        },
        putBack() {
          for (const [key, change] of changes) changed.set(key, change);
        },
      };
    },
    clear() {
      for (const { timer } of pending.values()) timer.cancel();
      pending.clear();
      changed.clear();
    },
    stop() {
      isStopped = true;
      for (const { timer } of pending.values()) timer.cancel();
    },
  };
}

function allRecoveries(queries: Queries): Promise<RecoveryRow[]> {
  return queries.all<RecoveryRow>(
    'SELECT terminal_id, what, due_ms FROM fault_recoveries ORDER BY due_ms, terminal_id, what',
  );
}
