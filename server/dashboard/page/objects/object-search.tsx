import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../parts/icons.tsx';
import { useDismiss } from '../parts/use-dismiss.ts';
import { hrefOf, type Route } from '../route.ts';
import { navigate } from '../routing.ts';
import { nameOfOne } from './object-kinds.ts';
import type { SearchResult } from './stored-object.ts';

/** Leads to what has an id, a serial number or an e-mail address. A slash anywhere on the page opens it. */
export function ObjectSearch() {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useDismiss(place, open, () => setOpen(false));
  useSlash(() => setOpen(true));
  return (
    <div class="object-search" ref={place}>
      <button
        class="search-face"
        aria-label="Find any id"
        aria-keyshortcuts="/"
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
      >
        <Icon name="search" />
        <span class="search-words">Find any id</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      {open && (
        <div class="popover search-popover" role="dialog" aria-label="Find any id">
          <SearchForm onFound={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}

function SearchForm({ onFound }: { onFound: () => void }) {
  const { api } = useDashboard();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly SearchResult[] | string | undefined>();
  const input = useRef<HTMLInputElement>(null);
  // Number of the last search; another one once the form is closed.
  const latest = useRef(0);
  useLayoutEffect(() => {
    // Before the next key: an effect runs after the page is painted, and what is typed until then is lost.
    input.current?.focus();
    return () => void (latest.current += 1);
  }, []);
  const search = async () => {
    const number = ++latest.current;
    const answer = await api.answer('GET /sandbox/search', { query: { text: text.trim() } });
    if (number !== latest.current) return;
    if (!answer.ok) return setFound(answer.problem);
    const [only, ...others] = answer.body.items;
    if (!only) return setFound(`Nothing in this sandbox has the id ${text.trim()}.`);
    if (others.length > 0) return setFound(answer.body.items);
    navigate(placeOf(only));
    leave();
  };
  const leave = () => {
    onFound();
    document.getElementById('view')?.focus();
  };
  return (
    <form
      role="search"
      aria-label="Find any id"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void search();
      }}
    >
      <label class="field">
        Any id, serial number or e-mail address
        <input
          ref={input}
          class="mono"
          spellcheck={false}
          maxLength={200}
          placeholder="ps_… req_… SIM-0001 ana@corner.example"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button class="primary" disabled={text.trim() === ''}>
        Find
      </button>
      <div role="status" class="object-found">
        {typeof found === 'string' ? <p>{found}</p> : found && <Results items={found} onChoose={leave} />}
      </div>
    </form>
  );
}

function Results({ items, onChoose }: { items: readonly SearchResult[]; onChoose: () => void }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <a href={hrefOf(placeOf(item))} onClick={onChoose}>
            {item.type === 'request' ? 'Request' : nameOfOne(item.type)} {item.label}{' '}
            <span class="mono">{item.id}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function placeOf({ id, type }: SearchResult): Route {
  return type === 'request' ? { view: 'requests', id } : { view: 'objects', id };
}

/** Calls a function when a slash is typed outside a field. */
function useSlash(run: () => void): void {
  useLayoutEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const isTyped = /^(INPUT|SELECT|TEXTAREA)$/.test((event.target as HTMLElement).tagName);
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyped) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
}
