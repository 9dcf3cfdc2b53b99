import type { SandboxKeys } from '../../view.ts';
import { pathInSandbox, sandboxPrefix, tokenKeyOf } from '../link/sandbox-path.ts';
import { withOwnValues } from './own-values.ts';

// The script of the documents at /guides: fills their examples in with what this server and this sandbox have.
const { pathname, origin } = location;
const keys = await sandboxKeys();
for (const code of document.querySelectorAll('pre code')) {
  const example = code.textContent ?? '';
  const own = withOwnValues(example, { origin, prefix: sandboxPrefix(pathname), keys });
  if (own !== example) code.textContent = own;
}
document.documentElement.dataset['filledIn'] = keys ? 'keys' : 'address';

/** Returns the keys of the sandbox; undefined for a browser without its token, and for live keys. */
async function sandboxKeys(): Promise<SandboxKeys | undefined> {
  const key = tokenKeyOf(pathname);
  const token = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  if (token === null) return undefined;
  const path = pathInSandbox('/dashboard/keys', pathname);
  const answer = await fetch(path, { headers: { authorization: token } }).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as SandboxKeys) : undefined;
}
