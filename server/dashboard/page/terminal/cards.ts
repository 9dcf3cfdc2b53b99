import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import type { OfferedCard } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { pageClock } from '../time.ts';

const cards = signal<readonly OfferedCard[]>([]);

const RETRY_MS = 2_000;

/** The test cards of the connected simulators; none until one has connected, which may come after the page. */
export function useCards(): readonly OfferedCard[] {
  const { api, link } = useDashboard();
  const missing = link.value.kind === 'online' && cards.value.length === 0;
  useEffect(() => {
    if (!missing) return undefined;
    let stopped = false;
    let timer: Timer | undefined;
    const load = async () => {
      const answer = await api.get<{ cards: OfferedCard[] }>('/dashboard/cards');
      if (answer.ok && answer.body.cards.length > 0) cards.value = answer.body.cards;
      else if (!stopped) timer = after(pageClock, RETRY_MS, () => void load());
    };
    void load();
    return () => {
      stopped = true;
      timer?.cancel();
    };
  }, [missing]);
  return cards.value;
}
