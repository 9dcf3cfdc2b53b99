import { hrefOf } from '../route.ts';

/** The id of an object or of a stored request, as a link to its view. */
export function ObjectLink({ id }: { id: string }) {
  return (
    <a class="mono" href={hrefOfId(id)}>
      {id}
    </a>
  );
}

function hrefOfId(id: string): string {
  if (id.startsWith('req_')) return hrefOf({ view: 'requests', id });
  if (id.startsWith('tml_')) return hrefOf({ view: 'terminal', id });
  if (id.startsWith('plan_')) return hrefOf({ view: 'faults', id });
  return hrefOf({ view: 'objects', id });
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

/** Returns a name such as `Terminal.action_updated`, which may wrap after its dots and underscores, not within a word. */
export function DottedName({ name }: { name: string }) {
  const parts = name.split(/(?<=[._])/);
  return (
    <span class="dotted-name">
      {parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}
    </span>
  );
}
