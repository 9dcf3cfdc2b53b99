import { useLayoutEffect, useRef } from 'preact/hooks';
import { panned, zoomed, type Size, type Viewport } from './viewport.ts';

interface ViewportControls {
  view: Viewport | undefined;
  size: Size | undefined;
  move: (to: Viewport) => void;
}

/** Pans the chart by dragging and by the wheel. The wheel with Ctrl, or a pinch on a touchpad, zooms. */
export function usePointers(pane: { current: HTMLElement | null }, controls: ViewportControls): void {
  const now = useRef(controls);
  now.current = controls;
  // Before the next event: the wheel moves the chart and not the page.
  useLayoutEffect(() => {
    const element = pane.current!;
    const wheel = (event: WheelEvent) => {
      const { view, size, move } = now.current;
      if (!view || !size) return;
      event.preventDefault();
      if (!event.ctrlKey) return move(panned(view, size, -event.deltaX, -event.deltaY));
      const { left, top } = element.getBoundingClientRect();
      move(zoomed(view, size, Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top));
    };
    const down = (event: PointerEvent) => {
      if (event.button === 0) element.setPointerCapture(event.pointerId);
    };
    const drag = (event: PointerEvent) => {
      const { view, size, move } = now.current;
      if (!view || !size || !element.hasPointerCapture(event.pointerId)) return;
      if (event.movementX === 0 && event.movementY === 0) return;
      move(panned(view, size, event.movementX, event.movementY));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', drag);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', drag);
    };
  }, []);
}
