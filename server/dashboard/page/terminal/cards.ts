import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OfferedCard } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

const cards = signal<readonly OfferedCard[]>([]);

/** The test cards of the connected simulators. */
export function useCards(): readonly OfferedCard[] {
  const { api, link } = useDashboard();
  const missing = link.value.kind === 'online' && cards.value.length === 0;
  useEffect(() => {
    if (!missing) return;
    void api.get<{ cards: OfferedCard[] }>('/dashboard/cards').then((answer) => {
      if (answer.ok) cards.value = answer.body.cards;
    });
  }, [missing]);
  return cards.value;
}
