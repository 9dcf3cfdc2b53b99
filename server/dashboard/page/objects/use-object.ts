import { useEffect, useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { rereadOnChange, type Rereading } from '../parts/reread.ts';
import { pageClock } from '../time.ts';
import type { ObjectDetails } from './stored-object.ts';

/**
 * Returns an object as it is stored; a text when it cannot be read. It is read again after each message of the server, since any
 * call may have changed it.
 */
export function useObject(id: string): { found: ObjectDetails | string | undefined; reread: () => void } {
  const { api, link, state } = useDashboard();
  const online = link.value.kind === 'online';
  const [found, setFound] = useState<ObjectDetails | string | undefined>();
  const reading = useRef<Rereading | undefined>(undefined);
  useEffect(() => {
    if (!online) return;
    let stopped = false;
    const parts = { clock: pageClock, changes: state.changes, isHidden: () => document.hidden };
    const rereading = rereadOnChange(parts, async () => {
      const answer = await api.get<ObjectDetails>(`/sandbox/objects/${encodeURIComponent(id)}`);
      if (!stopped) setFound(answer.ok ? answer.body : answer.problem);
    });
    reading.current = rereading;
    return () => {
      stopped = true;
      rereading.stop();
    };
  }, [api, id, online]);
  return { found, reread: () => reading.current?.reread() };
}
