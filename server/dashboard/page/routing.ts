import { signal } from '@preact/signals';
import { addressOf, placeOf, type Place } from './places.ts';

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
