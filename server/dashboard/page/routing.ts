import { signal } from '@preact/signals';

/** What the page shows, as the address says it. */
export type Place =
  | { view: 'fleet' }
  | { view: 'terminal'; id: string }
  | { view: 'webhooks' }
  | { view: 'objects'; id?: string };

/** `#/terminals/tml_1` as a place; anything unknown is the fleet. */
export function placeOf(hash: string): Place {
  const [view, id] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  if (view === 'terminals' && id) return { view: 'terminal', id };
  if (view === 'webhooks') return { view: 'webhooks' };
  if (view === 'objects') return id ? { view: 'objects', id } : { view: 'objects' };
  return { view: 'fleet' };
}

export function addressOf(place: Place): string {
  switch (place.view) {
    case 'fleet':
      return '#/';
    case 'terminal':
      return `#/terminals/${encodeURIComponent(place.id)}`;
    case 'webhooks':
      return '#/webhooks';
    case 'objects':
      return place.id ? `#/objects/${encodeURIComponent(place.id)}` : '#/objects';
  }
}

export const place = signal<Place>({ view: 'fleet' });

/** Follows the address from now on. */
export function followAddress(): void {
  const read = () => (place.value = placeOf(location.hash));
  addEventListener('hashchange', read);
  read();
}

export function go(to: Place): void {
  location.hash = addressOf(to);
}
