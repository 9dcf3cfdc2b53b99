import { useLayoutEffect } from 'preact/hooks';

// Elements that take these keys themselves; a `pre` scrolls by them.
const TAKES_KEYS = 'input, select, textarea, pre, [contenteditable]';

/** Moves through a recording with the arrow keys, Home and End, wherever the focus is but in a field. */
export function usePositionKeys({
  by,
  toStart,
  toEnd,
}: {
  by: (count: number) => void;
  toStart: () => void;
  toEnd: () => void;
}): void {
  // Before the next key: it moves from the position that is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest(TAKES_KEYS)) return;
      if (event.key === 'ArrowLeft') by(-1);
      else if (event.key === 'ArrowRight') by(1);
      else if (event.key === 'Home') toStart();
      else if (event.key === 'End') toEnd();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
