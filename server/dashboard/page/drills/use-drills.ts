import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DrillDetail, DrillList } from '../../drills/drill-view.ts';
import { useDashboard } from '../dashboard.ts';
import { inOrder, type ApiResult } from '../link/api.ts';
import { useReload } from '../parts/use-reload.ts';

const PLAYING_MS = 400;
/** The list says what another window plays. */
const LIST_MS = 3_000;
const REFUSED_FOR_GOOD = [400, 403, 404];

interface ReadOf<T> {
  /** Undefined until it was read. */
  read: T | undefined;
  /** Why the last call failed, in words. */
  problem: string | undefined;
  reload(): void;
}

/** Reads the drills with how each ended. */
export function useDrillList(): ReadOf<DrillList> {
  const { api, link, state } = useDashboard();
  const [read, setRead] = useState<DrillList>();
  const [problem, setProblem] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const load = useMemo(() => {
    const show = inOrder((answer: ApiResult<DrillList>) => {
      if (answer.ok) setRead(answer.body);
      setRefused(isRefusedForGood(answer));
      setProblem(answer.ok ? undefined : answer.problem);
    });
    return () => show(api.get<DrillList>('/dashboard/drills'));
  }, [api]);
  const active = link.value.kind === 'online' && state.mode.value === 'sandbox' && !isRefused;
  useReload(load, { everyMs: LIST_MS, active });
  return { read, problem, reload: () => void load() };
}

/** Returns whether asking again is in vain: no drills are played here, or not with this key. */
export function isRefusedForGood(answer: ApiResult<unknown>): boolean {
  return !answer.ok && REFUSED_FOR_GOOD.includes(answer.status);
}

interface PlayableDrill extends ReadOf<DrillDetail> {
  isStarting: boolean;
  play(): void;
}

/** Reads a drill, again and again while it is played. */
export function useDrill(name: string): PlayableDrill {
  const { api, link } = useDashboard();
  const [read, setRead] = useState<DrillDetail>();
  const [problem, setProblem] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const path = `/dashboard/drills/${encodeURIComponent(name)}`;
  const show = useMemo(
    () =>
      inOrder((answer: ApiResult<DrillDetail>) => {
        if (answer.ok) setRead(answer.body);
        setProblem(answer.ok ? undefined : answer.problem);
      }),
    [path],
  );
  const load = () => show(api.get<DrillDetail>(path));
  const online = link.value.kind === 'online';
  useEffect(() => {
    if (online) void load();
  }, [online]);
  const active = online && (read?.play?.isPlaying ?? false);
  useReload(load, { everyMs: PLAYING_MS, active });
  return {
    read,
    problem,
    isStarting,
    reload: () => void load(),
    play() {
      setStarting(true);
      void show(api.post<DrillDetail>(`${path}/play`)).then(() => setStarting(false));
    },
  };
}
