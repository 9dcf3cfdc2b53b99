import { useEffect } from 'preact/hooks';
import { hrefOf } from '../route.ts';

/** Says that an address of the page leads nowhere. */
export function UnknownView({ path }: { path: string }) {
  useEffect(() => {
    document.title = 'Unknown address · Tapbench';
  }, []);
  return (
    <section class="empty" aria-labelledby="unknown-title">
      <h1 id="unknown-title">There is nothing at this address</h1>
      <p>
        The dashboard has no page <code>#/{path}</code>. The link that led here may be from another version.
      </p>
      <p>
        <a href={hrefOf({ view: 'fleet' })}>Terminals</a> ·{' '}
        <a href={hrefOf({ view: 'requests' })}>Requests</a> ·{' '}
        <a href={hrefOf({ view: 'webhooks' })}>Webhooks</a> ·{' '}
        <a href={hrefOf({ view: 'objects' })}>Objects</a> · <a href={hrefOf({ view: 'faults' })}>Faults</a>
      </p>
    </section>
  );
}
