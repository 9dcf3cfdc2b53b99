import type { DrillGroup, DrillOutcome, ShopKind } from '../../drills/drill-view.ts';

/** The groups in their order, and what each is called. */
export const GROUPS: Record<DrillGroup, string> = {
  terminal: 'At a terminal',
  online: 'Online',
  webhooks: 'Events',
};

type Tone = 'good' | 'bad' | 'warn' | 'live';

/** How a drill ended for a shop, in words. What was not shown is never good. */
export const OUTCOMES: Record<DrillOutcome['kind'], { tone: Tone; label: string }> = {
  lost: { tone: 'bad', label: 'Money was lost' },
  kept: { tone: 'good', label: 'Nothing was lost' },
  notShown: { tone: 'warn', label: 'Not shown' },
  failed: { tone: 'bad', label: 'Could not be played' },
};

/** Returns whether a drill has shown what it is for: the wrong shop loses money, and the right one does not. Null while it is played. */
export function shownOf(
  outcomes: Readonly<Record<ShopKind, DrillOutcome | null>>,
): { tone: Tone; label: string } | null {
  const { wrong, right } = outcomes;
  if (!wrong || !right) return null;
  if (wrong.kind === 'failed' || right.kind === 'failed') return { tone: 'bad', label: 'failed' };
  if (right.kind === 'lost') return { tone: 'bad', label: 'right shop lost' };
  if (wrong.kind === 'lost' && right.kind === 'kept') return { tone: 'good', label: 'shown' };
  return { tone: 'warn', label: 'not shown' };
}
