import { useRef, useState } from 'preact/hooks';
import { pageClock } from '../time.ts';
import { interpolate, type Viewport } from './viewport.ts';

const ANIMATION_MS = 260;

/** A viewport that moves with an animation, unless the user prefers reduced motion. */
export function useAnimatedViewport() {
  const [view, setView] = useState<Viewport>();
  const current = useRef<Viewport | undefined>(undefined);
  const frame = useRef(0);

  const set = (to: Viewport) => {
    current.current = to;
    setView(to);
  };
  const jumpTo = (to: Viewport) => {
    cancelAnimationFrame(frame.current);
    set(to);
  };
  const animateTo = (to: Viewport) => {
    const from = current.current;
    if (!from || matchMedia('(prefers-reduced-motion: reduce)').matches) return jumpTo(to);
    cancelAnimationFrame(frame.current);
    const startMs = pageClock.nowMs();
    const move = () => {
      const part = Math.min(1, (pageClock.nowMs() - startMs) / ANIMATION_MS);
      set(interpolate(from, to, 1 - (1 - part) ** 3));
      if (part < 1) frame.current = requestAnimationFrame(move);
    };
    frame.current = requestAnimationFrame(move);
  };
  return { view, animateTo, jumpTo };
}
