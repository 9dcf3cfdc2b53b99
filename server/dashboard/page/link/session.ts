import { signal } from '@preact/signals';
import { secretInHash } from './token-link.ts';

/** Why the page has no token, while it has none. */
export interface KeyWanted {
  reason: 'missing' | 'stale' | 'used';
  /** What was wrong with the key that was entered last. */
  problem?: string;
}

/** Set while the page asks for the secret key or the link. */
export const keyWanted = signal<KeyWanted | undefined>(undefined);

const KEPT_AS = 'tapbench.token';

export interface Session {
  /** The token of this page; rejects while it has none. */
  token(): Promise<string>;
  /** The server refused the token. */
  forget(): void;
  /** Exchanges the secret key for the token. The key itself is not kept. */
  enter(key: string): Promise<boolean>;
}

/**
 * The token that a dashboard link leads to, or that the server returns for the secret key. One of a link is kept
 * for this browser, one of a key for this window.
 */
export function createSession(): Session {
  const kept = sessionStorage.getItem(KEPT_AS) ?? localStorage.getItem(KEPT_AS);
  let held: Promise<string> | undefined = kept === null ? undefined : Promise.resolve(kept);

  const keep = (storage: Storage, token: string): string => {
    forgetKept();
    storage.setItem(KEPT_AS, token);
    held = Promise.resolve(token);
    // Last, since the connection asks for the token at once.
    keyWanted.value = undefined;
    return token;
  };
  const takeFromAddress = (): void => {
    const given = secretInHash(location.hash);
    if (given === undefined) return;
    // Neither the address bar nor the history shows it any more.
    history.replaceState(null, '', location.pathname + location.search);
    if ('token' in given) return void keep(localStorage, given.token);
    held = exchange(given).then((answer) => {
      if ('token' in answer) return keep(localStorage, answer.token);
      held = undefined;
      keyWanted.value = { reason: 'used' };
      throw new Error('the code of the link is not good');
    });
    held.catch(() => {});
  };

  // A link that is pasted into a page that is open changes the hash alone.
  addEventListener('hashchange', takeFromAddress);
  takeFromAddress();
  if (held === undefined) keyWanted.value = { reason: 'missing' };

  return {
    async token() {
      if (held === undefined) throw new Error('a key is wanted');
      return held;
    },
    forget() {
      forgetKept();
      held = undefined;
      keyWanted.value = { reason: 'stale' };
    },
    async enter(key) {
      const answer = await exchange({ key });
      if ('token' in answer) keep(sessionStorage, answer.token);
      else keyWanted.value = { reason: keyWanted.peek()?.reason ?? 'missing', ...answer };
      return 'token' in answer;
    },
  };
}

function forgetKept(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(KEPT_AS);
}

async function exchange(
  given: { key: string } | { code: string },
): Promise<{ token: string } | { problem: string }> {
  const response = await fetch('/dashboard/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  }).catch(() => undefined);
  if (!response) return { problem: 'The server cannot be reached.' };
  if (response.status === 429) return { problem: 'Too many wrong keys. Try again in a minute.' };
  if (!response.ok) return { problem: 'That is not the secret key of this server.' };
  return (await response.json()) as { token: string };
}
