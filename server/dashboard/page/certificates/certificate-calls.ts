import { useEffect, useRef, useState } from 'preact/hooks';
import type { Item, Reply } from '../../../../protocol/api-client.ts';
import { useDashboard } from '../dashboard.ts';
import { type ApiResult } from '../link/api.ts';
import { rereadOnChange, type Rereading } from '../parts/reread.ts';
import { pageClock } from '../time.ts';

export type ListedCertificate = Item<'GET /sandbox/certificates'>;
export type ShownCertificate = Reply<'GET /sandbox/certificates/{id}'>;
export type ShownCase = ShownCertificate['cases'][number];
export type ShownAct = NonNullable<ShownCertificate['act']>;

/** How often the server hears that an act is shown: it takes one as seen for 15 s. */
const SHOWN_MS = 5_000;

interface Read<T> {
  /** Undefined until it was read. */
  value: T | undefined;
  /** Why it could not be read, in words. */
  problem: string | undefined;
  reread(): void;
}

/** Reads the certificates of the sandbox, newest first, and again when something changes there. */
export function useCertificates(): Read<readonly ListedCertificate[]> {
  const { api } = useDashboard();
  return useReread('', async () => {
    const answer = await api.answer('GET /sandbox/certificates');
    return answer.ok ? { ok: true, body: answer.body.items.toReversed() } : answer;
  });
}

/** Reads a certificate, and again when something changes in the sandbox. */
export function useCertificate(id: string): Read<ShownCertificate> {
  const { api } = useDashboard();
  return useReread(id, () => api.answer('GET /sandbox/certificates/{id}', { params: { id } }));
}

/** @param key another one is read from the beginning */
function useReread<T>(key: string, read: () => Promise<ApiResult<T>>): Read<T> {
  const { link, state } = useDashboard();
  const [seen, setSeen] = useState<Omit<Read<T>, 'reread'>>({ value: undefined, problem: undefined });
  const rereading = useRef<Rereading | undefined>(undefined);
  const isWanted = link.value.kind === 'online' && state.mode.value === 'sandbox';
  useEffect(() => {
    if (!isWanted) return;
    let stopped = false;
    const isHidden = () => document.hidden;
    const parts = { clock: pageClock, changes: state.changes, isHidden, everyMs: SHOWN_MS };
    const started = rereadOnChange(parts, async () => {
      const answer = await read();
      if (stopped) return;
      setSeen(({ value }) =>
        answer.ok ? { value: answer.body, problem: undefined } : { value, problem: answer.problem },
      );
    });
    rereading.current = started;
    return () => {
      stopped = true;
      started.stop();
    };
  }, [key, isWanted]);
  return { ...seen, reread: () => rereading.current?.reread() };
}
