import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OfferedCard } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

const cards = signal<readonly OfferedCard[]>([]);

/** The cards at hand: what the simulators have said that they have. */
export function useCards(): readonly OfferedCard[] {
  const { api, link } = useDashboard();
  const wanted = link.value.kind === 'online' && cards.value.length === 0;
  useEffect(() => {
    if (!wanted) return;
    void api.get<{ cards: OfferedCard[] }>('/dashboard/cards').then((answer) => {
      if (answer.ok) cards.value = answer.body.cards;
    });
  }, [wanted]);
  return cards.value;
}
