import { useEffect, useRef, useState } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import { useDashboard } from '../dashboard.ts';
import type { PageApi } from '../link/api.ts';
import { pageClock } from '../time.ts';
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

/** What was read of a list: of the items that fit one query, those that are shown. */
interface ReadList<Item> {
  source: string;
  items: readonly Item[] | undefined;
  problem: string | undefined;
  /** Leads to the next older page; null when all are shown. */
  older: string | null;
}

const PAGE_ITEMS = 50;
const POLL_EVERY_MS = 2_000;

/**
 * Loads the items of a list of the API that fit a query, and the newest of them again while the component is mounted: when
 * something changes in the sandbox, and from time to time.
 * @param query filters, without paging
 */
export function useLiveList<Item extends { id: string }>(
  api: PageApi,
  { path, query, online }: { path: string; query: string; online: boolean },
): LiveList<Item> {
  const { state } = useDashboard();
  const [, redraw] = useState({});
  const source = `${path}?${query}`;
  const list = useRef<ReadList<Item>>(nothingOf(source));
  // What fitted other filters is not shown below these.
  if (list.current.source !== source) list.current = nothingOf(source);
  const show = (members: Partial<ReadList<Item>>) => {
    list.current = { ...list.current, ...members };
    redraw({});
  };
  const load = (paging: string) =>
    api.get<ListPage<Item>>(`${path}?limit=${PAGE_ITEMS}${paging}${query && `&${query}`}`);

  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let poll: Timer | undefined;
    let isFirst = true;
    const isHidden = () => document.hidden;
    const rereading = rereadOnChange({ clock: pageClock, changes: state.changes, isHidden }, async () => {
      poll?.cancel();
      const answer = await load('');
      if (stopped) return;
      if (answer.ok) {
        const { items: newest, paginationToken } = answer.body;
        const known = isFirst || paginationToken === null ? [] : (list.current.items ?? []);
        isFirst = false;
        const merged = mergeNewest(known, newest);
        show({
          problem: undefined,
          items: merged ?? newest,
          older: merged ? list.current.older : paginationToken,
        });
      } else show({ problem: answer.problem });
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
    const { older } = list.current;
    const answer = await load(`&startsAfter=${older}`);
    // Other filters were chosen meanwhile, or a second click has loaded the same page.
    if (list.current.source !== source || list.current.older !== older) return;
    if (!answer.ok) return show({ problem: answer.problem });
    const { items = [] } = list.current;
    show({
      problem: undefined,
      items: [...items, ...answer.body.items],
      older: answer.body.paginationToken,
    });
  };
  const { items, problem, older } = list.current;
  return { items, problem, loadOlder: older === null ? undefined : loadOlder };
}

function nothingOf<Item>(source: string): ReadList<Item> {
  return { source, items: undefined, problem: undefined, older: null };
}

/**
 * Returns a list with its newest page read again: what is older than the page stays as it is. Undefined where the page
 * does not lead to it, such as after a reset or many new items.
 */
export function mergeNewest<Item extends { id: string }>(
  known: readonly Item[],
  page: readonly Item[],
): readonly Item[] | undefined {
  const last = page.at(-1);
  const at = last ? known.findIndex(({ id }) => id === last.id) : -1;
  return at < 0 ? undefined : [...page, ...known.slice(at + 1)];
}
