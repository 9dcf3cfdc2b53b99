import type { StoredRequest } from '../../view.ts';
import { pathInSandbox } from '../link/sandbox-path.ts';
import { hiddenPaths } from './hidden-values.ts';
import { CodeBlock } from './code-block.tsx';
import type { SentRequest } from './request-code.ts';

/** A request as curl and as code of several languages, to copy. */
export function CodeSamples({ request }: { request: StoredRequest }) {
  const isHidden = hiddenPaths(request.body).length > 0 || hiddenPaths(request.query).length > 0;
  return (
    <section class="request-content" aria-label="Code">
      <h2>Code</h2>
      {isHidden && <p class="quiet-line">Replace what is hidden (··) by its value.</p>}
      <CodeBlock request={sentRequest(request)} />
    </section>
  );
}

/** Returns a stored request as it is sent again. Its idempotency key is left out, which would return the first reply. */
function sentRequest({ method, path, query, headers, body, keyLastFour }: StoredRequest): SentRequest {
  const account = (headers as Record<string, string>)['account'];
  return {
    method,
    url: location.origin + pathInSandbox(pathWithQuery({ path, query }), location.pathname),
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(account !== undefined && { account }),
    },
    body: body ?? undefined,
    hasKey: keyLastFour !== null,
  };
}

export function pathWithQuery({ path, query }: Pick<StoredRequest, 'path' | 'query'>): string {
  const text = new URLSearchParams(query as Record<string, string>).toString();
  return text ? `${path}?${text}` : path;
}
