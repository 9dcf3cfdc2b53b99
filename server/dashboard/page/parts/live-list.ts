import { useEffect, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import type { Api, ApiResult } from '../link/api.ts';
import { pageClock } from '../time.ts';

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
const NEW_EVERY_MS = 2_000;

/**
 * Loads the items of a list of the API that fit a query, and adds new ones while the component is mounted.
 * @param query filters, without paging
 */
export function useLiveList<Item extends { id: string }>(
  api: Api,
  { path, query, online }: { path: string; query: string; online: boolean },
): LiveList<Item> {
  const [items, setItems] = useState<readonly Item[] | undefined>();
  const [older, setOlder] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const load = (paging: string) =>
    api.get<ListPage<Item>>(`${path}?limit=${PAGE_ITEMS}${paging}${query && `&${query}`}`);

  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let newest: string | undefined;
    let cancel = () => {};
    const wait = () => {
      if (!stopped) cancel = after(pageClock, NEW_EVERY_MS, () => void loadNew()).cancel;
    };
    const show = (answer: ApiResult<ListPage<Item>>, merge: (page: ListPage<Item>) => void) => {
      if (stopped) return;
      setProblem(answer.ok ? undefined : answer.problem);
      if (answer.ok) merge(answer.body);
    };
    const loadFirst = async () => {
      const answer = await load('');
      show(answer, (page) => {
        newest = page.items[0]?.id;
        setItems(page.items);
        setOlder(page.paginationToken);
      });
      wait();
    };
    const loadNew = async () => {
      // Behind another window nobody sees them.
      if (document.hidden) return wait();
      if (newest === undefined) return loadFirst();
      const answer = await load(`&ascending=true&startsAfter=${newest}`);
      // It was deleted, by a reset or because it was old.
      if (!answer.ok && answer.status === 400) return loadFirst();
      show(answer, (page) => {
        newest = page.items.at(-1)?.id ?? newest;
        if (page.items.length > 0) setItems((known = []) => [...page.items.toReversed(), ...known]);
      });
      wait();
    };
    void loadFirst();
    return () => {
      stopped = true;
      cancel();
    };
  }, [api, path, query, online]);

  const loadOlder = async () => {
    const answer = await load(`&startsAfter=${older}`);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    setItems((known = []) => [...known, ...answer.body.items]);
    setOlder(answer.body.paginationToken);
  };
  return { items, problem, loadOlder: older === null ? undefined : loadOlder };
}
