import { useEffect, useState } from 'preact/hooks';
import type { SandboxKeys } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

/** The keys of the sandbox; undefined until the server has responded, null when it returns none. */
export function useSandboxKeys(): SandboxKeys | null | undefined {
  const { api, link } = useDashboard();
  const [keys, setKeys] = useState<SandboxKeys | null>();
  const online = link.value.kind === 'online';
  useEffect(() => {
    if (!online) return;
    void api.get<SandboxKeys>('/dashboard/keys').then((answer) => setKeys(answer.ok ? answer.body : null));
  }, [online]);
  return keys;
}
