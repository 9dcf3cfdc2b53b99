import { useEffect, useRef, useState } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import { useDashboard } from '../dashboard.ts';
import type { Api } from '../link/api.ts';
import { pageClock } from '../time.ts';
import { mergeNewest } from './merge-newest.ts';
import { rereadOnChange } from './reread.ts';

interface ListPage<Item> {
  items: Item[];
  paginationToken: string | null;
}

/** What a list shows, newest first. */
interface LiveList<Item> {
  /** Undefined until the first page is there. */
  items: readonly Item[] | undefined;
  /** Why there are none, in words. */
  problem: string | undefined;
  /** Loads the next older page; undefined when all are shown. */
  loadOlder: (() => Promise<void>) | undefined;
}

const PAGE_ITEMS = 50;
const POLL_EVERY_MS = 2_000;

/**
 * Loads the items of a list of the API that fit a query, and the newest of them again while the component is mounted: when
 * something changes in the sandbox, and from time to time.
 * @param query filters, without paging
 */
export function useLiveList<Item extends { id: string }>(
  api: Api,
  { path, query, online }: { path: string; query: string; online: boolean },
): LiveList<Item> {
  const { state } = useDashboard();
  const [items, setItems] = useState<readonly Item[] | undefined>();
  const [older, setOlder] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const shown = useRef<readonly Item[]>([]);
  const latestQuery = useRef(query);
  latestQuery.current = query;
  const show = (list: readonly Item[]) => {
    shown.current = list;
    setItems(list);
  };
  const load = (paging: string) =>
    api.get<ListPage<Item>>(`${path}?limit=${PAGE_ITEMS}${paging}${query && `&${query}`}`);

  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let poll: Timer | undefined;
    shown.current = [];
    const isHidden = () => document.hidden;
    const rereading = rereadOnChange({ clock: pageClock, changes: state.changes, isHidden }, async () => {
      poll?.cancel();
      const answer = await load('');
      if (stopped) return;
      setProblem(answer.ok ? undefined : answer.problem);
      if (answer.ok) {
        const { items: newest, paginationToken } = answer.body;
        const merged = paginationToken === null ? undefined : mergeNewest(shown.current, newest);
        if (!merged) setOlder(paginationToken);
        show(merged ?? newest);
      }
      pollLater();
    });
    // Behind another window nobody sees them.
    const pollLater = () => {
      poll = after(pageClock, POLL_EVERY_MS, () => (isHidden() ? pollLater() : rereading.reread()));
    };
    return () => {
      stopped = true;
      poll?.cancel();
      rereading.stop();
    };
  }, [api, path, query, online]);

  const loadOlder = async () => {
    const answer = await load(`&startsAfter=${older}`);
    // Other filters were chosen meanwhile.
    if (latestQuery.current !== query) return;
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    show([...shown.current, ...answer.body.items]);
    setOlder(answer.body.paginationToken);
  };
  return { items, problem, loadOlder: older === null ? undefined : loadOlder };
}
