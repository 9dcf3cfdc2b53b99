import { useEffect, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import type { RequestSummary } from '../../view.ts';
import type { Api, ApiResult } from '../link/api.ts';
import { pageClock } from '../time.ts';
import { filterQuery, type RequestFilters } from './request-filters.ts';

interface RequestPage {
  items: RequestSummary[];
  paginationToken: string | null;
}

/** The requests that the list shows, newest first. */
interface RequestList {
  /** Undefined until the first page is there. */
  items: readonly RequestSummary[] | undefined;
  /** Why there are none, in words. */
  problem: string | undefined;
  /** Loads the next older page; undefined when all are shown. */
  loadOlder: (() => Promise<void>) | undefined;
}

const PAGE_ITEMS = 50;
const NEW_EVERY_MS = 2_000;

function pathOf(filters: RequestFilters, paging: string): string {
  const query = filterQuery(filters);
  return `/sandbox/requests?limit=${PAGE_ITEMS}${paging}${query && `&${query}`}`;
}

/** Loads the requests that fit filters, and adds new ones while the component is mounted. */
export function useRequests(api: Api, filters: RequestFilters, online: boolean): RequestList {
  const [items, setItems] = useState<readonly RequestSummary[] | undefined>();
  const [older, setOlder] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const key = filterQuery(filters);

  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let newest: string | undefined;
    let cancel = () => {};
    const wait = () => {
      if (!stopped) cancel = after(pageClock, NEW_EVERY_MS, () => void loadNew()).cancel;
    };
    const show = (answer: ApiResult<RequestPage>, merge: (page: RequestPage) => void) => {
      if (stopped) return;
      setProblem(answer.ok ? undefined : answer.problem);
      if (answer.ok) merge(answer.body);
    };
    const loadFirst = async () => {
      const answer = await api.get<RequestPage>(pathOf(filters, ''));
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
      const answer = await api.get<RequestPage>(pathOf(filters, `&ascending=true&startsAfter=${newest}`));
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
  }, [api, key, online]);

  const loadOlder = async () => {
    const answer = await api.get<RequestPage>(pathOf(filters, `&startsAfter=${older}`));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    setItems((known = []) => [...known, ...answer.body.items]);
    setOlder(answer.body.paginationToken);
  };
  return { items, problem, loadOlder: older === null ? undefined : loadOlder };
}
