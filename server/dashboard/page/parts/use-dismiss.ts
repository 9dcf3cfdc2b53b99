import { useLayoutEffect } from 'preact/hooks';

/** Closes the open menu on Escape and on a click or focus outside it. */
export function useDismiss(place: { current: HTMLElement | null }, open: boolean, close: () => void): void {
  // Before the next key: Escape typed at once closes it.
  useLayoutEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) close();
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
      place.current?.querySelector('button')?.focus();
    };
    addEventListener('pointerdown', outside);
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', escape);
    };
  }, [open]);
}
