/** What the page shows, as the address says it. */
export type Place =
  | { view: 'fleet' }
  | { view: 'terminal'; id: string }
  | { view: 'webhooks' }
  | { view: 'objects'; id?: string };

/** `#/terminals/tml_1` as a place; anything unknown is the fleet. */
export function placeOf(hash: string): Place {
  const [view, id] = hash.replace(/^#\/?/, '').split('/').map(decoded);
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

/** Undefined for what no address of ours is, such as a percent sign that stands alone. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
