import type { BookedOrder, DrillMoney, DrillOccurrence, ListedDrill, ShopKind } from './drill-view.ts';

/** Is told what happens while a drill is played. */
export interface DrillWatcher {
  onOccurrence(occurrence: DrillOccurrence): void;
  onMoney(money: DrillMoney): void;
  onBooks(orders: readonly BookedOrder[]): void;
}

/** A drill that was played to its end. */
export interface PlayedDrill {
  /** What is wrong; null when nothing is. */
  verdict: string | null;
  /** Why it cannot be said that nothing was lost. */
  inconclusive: string | null;
  apart: number;
  money: DrillMoney;
  orders: readonly BookedOrder[];
  /** The trace file of its sandbox. */
  trace: Buffer;
}

/** Plays drills with built-in shops. The program that runs the server provides it. */
export interface DrillPlayer {
  readonly drills: readonly ListedDrill[];
  readonly currency: string;
  /**
   * Plays a drill with a shop in a sandbox of its own, which it deletes.
   * @param ending aborted when it has to end
   */
  play(name: string, shop: ShopKind, watcher: DrillWatcher, ending: AbortSignal): Promise<PlayedDrill>;
}
