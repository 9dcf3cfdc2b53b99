import { kindOf } from '../objects/object-kinds.ts';
import { hrefOf } from '../route.ts';

/** The id of an object, as a link where the page has a view of it. */
export function ObjectLink({ id }: { id: string }) {
  if (id.startsWith('tml_')) return <a href={hrefOf({ view: 'terminal', id })}>{id}</a>;
  return kindOf(id) ? <a href={hrefOf({ view: 'objects', id })}>{id}</a> : <span>{id}</span>;
}

export function ObjectLinks({ ids }: { ids: readonly string[] }) {
  return (
    <ul class="request-objects">
      {ids.map((id) => (
        <li key={id}>
          <ObjectLink id={id} />
        </li>
      ))}
    </ul>
  );
}
