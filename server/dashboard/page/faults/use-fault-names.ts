import { useEffect, useState } from 'preact/hooks';
import type { FaultNames } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

/** Returns the names that a fault can ask for; undefined until they are read, and where they cannot be. */
export function useFaultNames(): FaultNames | undefined {
  const { api, link } = useDashboard();
  const [names, setNames] = useState<FaultNames>();
  const isWanted = link.value.kind === 'online' && names === undefined;
  useEffect(() => {
    if (!isWanted) return undefined;
    let stopped = false;
    void api.get<FaultNames>('/dashboard/fault-names').then((answer) => {
      if (answer.ok && !stopped) setNames(answer.body);
    });
    return () => void (stopped = true);
  }, [api, isWanted]);
  return names;
}
