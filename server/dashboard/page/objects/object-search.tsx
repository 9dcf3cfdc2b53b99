import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { ObjectLink } from '../requests/object-link.tsx';
import type { Route } from '../route.ts';
import { navigate } from '../routing.ts';
import type { SearchResult } from './stored-object.ts';

/** Leads to what has an id, a serial number or an e-mail address. */
export function ObjectSearch() {
  const { api } = useDashboard();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly SearchResult[] | string | undefined>();
  const search = async () => {
    const query = new URLSearchParams({ text: text.trim() }).toString();
    const answer = await api.get<{ items: SearchResult[] }>(`/sandbox/search?${query}`);
    if (!answer.ok) return setFound(answer.problem);
    const [only, ...others] = answer.body.items;
    if (!only) return setFound(`Nothing in this sandbox has the id ${text.trim()}.`);
    if (others.length > 0) return setFound(answer.body.items);
    setFound(undefined);
    navigate(placeOf(only));
  };
  return (
    <form
      class="object-search"
      role="search"
      aria-label="Find an object"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void search();
      }}
    >
      <label class="field">
        Any id, serial number or e-mail address
        <input
          class="mono"
          spellcheck={false}
          maxLength={200}
          placeholder="ps_… req_… SIM-0001 ana@corner.example"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button disabled={text.trim() === ''}>Find</button>
      <div role="status" class="object-found">
        {typeof found === 'string' && <p>{found}</p>}
        {Array.isArray(found) && (
          <ul>
            {found.map(({ id, label }) => (
              <li key={id}>
                {label} <ObjectLink id={id} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </form>
  );
}

function placeOf({ id, type }: SearchResult): Route {
  return type === 'request' ? { view: 'requests', id } : { view: 'objects', id };
}
