import { useEffect, useState } from 'preact/hooks';
import type { SandboxKeys } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

/** The keys of the sandbox, to copy; undefined until they are there, and with live keys. */
export function useSandboxKeys(): SandboxKeys | undefined {
  const { api, link } = useDashboard();
  const [keys, setKeys] = useState<SandboxKeys>();
  const online = link.value.kind === 'online';
  useEffect(() => {
    if (!online) return;
    void api.get<SandboxKeys>('/dashboard/keys').then((answer) => {
      if (answer.ok) setKeys(answer.body);
    });
  }, [online]);
  return keys;
}
