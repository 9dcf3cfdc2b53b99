import type { PlannedFault } from '../../platform/faults/fault-plan.schema.ts';

/** What the page of drills shows, as JSON. Money is in minor units. */

/** Where the shop of a drill sells, or what it hears. */
export type DrillGroup = 'terminal' | 'online' | 'webhooks';

export interface ListedDrill {
  name: string;
  title: string;
  group: DrillGroup;
  /** What happens in the shop. */
  story: string;
  /** What the wrong shop does that loses money. */
  wrong: string;
  /** What the right shop does instead. */
  right: string;
  /** Page of the documentation that explains it, in `docs/`. */
  page: string;
  faults: readonly PlannedFault[];
  /** Why this server cannot play it, in words; null when it can. */
  unavailable: string | null;
}

/** The built-in shops, each of which sells in a sandbox of its own. */
export const SHOPS = ['wrong', 'right'] as const;
export type ShopKind = (typeof SHOPS)[number];

/** What the server has of all payments of a shop. */
export interface DrillMoney {
  taken: number;
  refunded: number;
  /** What disputes took. */
  disputed: number;
}

/** An order in the books of a shop. */
export interface BookedOrder {
  orderId: string;
  paid: boolean;
  amount: number;
  refunded?: number;
}

/** What happened: a step of the story, a call of the shop, or an event that it received. */
export type DrillOccurrence =
  | { kind: 'step'; who: string; text: string }
  /** `status` is null where no reply came. */
  | { kind: 'call'; method: string; path: string; status: number | null }
  | { kind: 'event'; eventType: string };

/** `atMs` is real time since the drill began. */
export type DrillLine = DrillOccurrence & { atMs: number };

/**
 * How a drill ended for a shop. `notShown`: a fault never struck, or nothing was sold, so that nothing can be said. `failed`:
 * it could not be played to its end.
 */
export interface DrillOutcome {
  kind: 'lost' | 'kept' | 'notShown' | 'failed';
  /** What is wrong, or why nothing can be said; null for `kept`. */
  reason: string | null;
  /** How far money and books are apart, order by order. */
  apart: number;
}

export interface ShopRun {
  lines: readonly DrillLine[];
  money: DrillMoney;
  orders: readonly BookedOrder[];
  /** Null while it is played. */
  outcome: DrillOutcome | null;
  /** Whether its trace can be opened. */
  hasTrace: boolean;
}

/** A drill that is or was played with both shops, at the same time. */
export interface DrillPlay {
  /** Real time, epoch milliseconds. */
  startedMs: number;
  isPlaying: boolean;
  currency: string;
  runs: Readonly<Record<ShopKind, ShopRun>>;
}

/** At `/dashboard/drills/{name}`. */
export interface DrillDetail {
  drill: ListedDrill;
  /** The latest one; null where it was not played since the server started. */
  play: DrillPlay | null;
}

/** At `/dashboard/drills`. */
export interface DrillList {
  /** Name of the drill that is being played. */
  playing: string | null;
  drills: readonly (ListedDrill & { outcomes: Readonly<Record<ShopKind, DrillOutcome | null>> | null })[];
}
