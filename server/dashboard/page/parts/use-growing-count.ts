import { useEffect, useState } from 'preact/hooks';

const FRAME_ROWS = 70;

/** Returns how many rows of a long list to draw now: more at each frame, so that none of them takes long. */
export function useGrowingCount(count: number): number {
  const [drawn, setDrawn] = useState(FRAME_ROWS);
  useEffect(() => {
    if (drawn < count) setDrawn(drawn + FRAME_ROWS);
  }, [drawn, count]);
  return Math.min(drawn, count);
}
