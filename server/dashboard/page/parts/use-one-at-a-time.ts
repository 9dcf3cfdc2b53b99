import { useRef } from 'preact/hooks';

/**
 * Returns a function that runs work, unless what it ran before is still under way; then it resolves with undefined. A second
 * click can come before its button is disabled, and a button that is disabled loses the keyboard focus.
 */
export function useOneAtATime(): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  const underWay = useRef(false);
  return async (work) => {
    if (underWay.current) return undefined;
    underWay.current = true;
    try {
      return await work();
    } finally {
      underWay.current = false;
    }
  };
}
