import type { SandboxKeys } from '../../view.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { useEffect, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';

/** The keys of the sandbox, to copy. They are not shown, so that a picture of the screen holds none. */
export function ApiKeys({ keys }: { keys: SandboxKeys | null | undefined }) {
  return (
    <section class="home-part" aria-labelledby="keys-title">
      <h2 id="keys-title">API keys</h2>
      {keys === null && <p>The keys are in the window that started the server.</p>}
      {keys && (
        <>
          <ul class="home-keys">
            <li>
              <span>Secret key, for servers</span>
              <b class="mono">{shortened(keys.secretKey)}</b>
              <CopyButton text={keys.secretKey} what="secret key">
                Copy
              </CopyButton>
            </li>
            <li>
              <span>Public key, for browsers and apps</span>
              <b class="mono">{shortened(keys.publicKey)}</b>
              <CopyButton text={keys.publicKey} what="public key">
                Copy
              </CopyButton>
            </li>
            <li>
              <span>Both, for a shell</span>
              <b class="mono">export SECRET_KEY=…</b>
              <CopyButton text={exportLines(keys)} what="shell variables">
                Copy
              </CopyButton>
            </li>
          </ul>
          <p class="quiet-line">
            Send a key as it is in the header <code>Authorization</code>. <code>npx tapbench keys</code>{' '}
            prints them.
          </p>
        </>
      )}
    </section>
  );
}

/** `sk_sandbox_…4x7Q`: which key it is, and not the key. */
function shortened(key: string): string {
  return `${/^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;
}

function exportLines({ secretKey, publicKey }: SandboxKeys): string {
  return `export SECRET_KEY=${secretKey}\nexport PUBLIC_KEY=${publicKey}\n`;
}

/** The keys of the sandbox; undefined until the server has responded, null when it returns none. */
export function useSandboxKeys(): SandboxKeys | null | undefined {
  const { api, link } = useDashboard();
  const [keys, setKeys] = useState<SandboxKeys | null>();
  const online = link.value.kind === 'online';
  useEffect(() => {
    if (!online) return;
    void api.get<SandboxKeys>('/dashboard/keys').then((answer) => setKeys(answer.ok ? answer.body : null));
  }, [online]);
  return keys;
}
