/** Line icons of 16 by 16, each the path of its stroke. */
const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  slash: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 4.2l7.6 7.6',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3 3',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  forward: 'M6.5 3.5L11 8l-4.5 4.5',
  play: 'M5 3.2l7.2 4.8L5 12.8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  system: 'M2.5 3h11v7.5h-11zM6 13.2h4M8 10.5v2.7',
  tap: 'M4.2 5.2a5 5 0 0 1 0 5.6M6.8 3.6a8 8 0 0 1 0 8.8M9.4 2a11.4 11.4 0 0 1 0 12',
  insert: 'M2.5 2.5h11M4.5 2.5v7h7v-7M8 13.5v-2M6.8 12.4L8 13.6l1.2-1.2',
  swipe: 'M2.5 4.5h11v7h-11zM2.5 6.8h11M9 13.8h4M11.8 12.6l1.3 1.2-1.3 1.2',
  eject: 'M4 9.5L8 4.5l4 5zM4 12.2h8',
  record: 'M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  power: 'M8 2.5V8M5 4.3a4.8 4.8 0 1 0 6 0',
  network: 'M2.2 6.4a8.4 8.4 0 0 1 11.6 0M4.4 8.8a5.2 5.2 0 0 1 7.2 0M6.6 11.2a2 2 0 0 1 2.8 0',
  paper: 'M4 2.5h8v11l-2-1.3-2 1.3-2-1.3-2 1.3zM6.2 5.5h3.6M6.2 8h3.6',
  copy: 'M5.5 5.5h7v7h-7zM10.5 5.5v-2h-7v7h2',
  again: 'M12.8 8a4.8 4.8 0 1 1-1.5-3.5M12.8 2.8v2.4h-2.4',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  tiles: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  rows: 'M3 4.5h10M3 8h10M3 11.5h10',
  layers: 'M8 2.5l5.5 3L8 8.5l-5.5-3zM2.5 8.2L8 11.2l5.5-3M2.5 10.9L8 13.9l5.5-3',
  chevron: 'M6 4l4 4-4 4',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  erase: 'M6 4h7v8H6L2.8 8zM7.8 6.5l3 3M10.8 6.5l-3 3',
  enter: 'M12.5 4v4.5h-8M7 6L4.5 8.5 7 11',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon beside words or inside a labelled button; hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of Tapbench with its name, as a link. */
export function Brand({ href, label }: { href: string; label: string }) {
  return (
    <a class="brand" href={href} aria-label={label}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" class="mark">
        <rect x="3" y="1.5" width="14" height="17" rx="3" />
        <rect class="mark-screen" x="6" y="4.5" width="8" height="4" rx="1" />
        <path class="mark-keys" d="M7 12h.01M10 12h.01M13 12h.01M7 15h.01M10 15h.01M13 15h.01" />
      </svg>
      <span>Tapbench</span>
    </a>
  );
}
