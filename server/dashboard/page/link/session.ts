import { signal } from '@preact/signals';
import { secretInHash } from './token-link.ts';

/** Why the page has no token, while it has none. */
export interface KeyWanted {
  reason: 'missing' | 'stale' | 'used';
  /** What was wrong with the key that was entered last. */
  problem?: string;
}

/** Set while the page prompts for the secret key or the link. */
export const keyWanted = signal<KeyWanted | undefined>(undefined);

const STORAGE_KEY = 'tapbench.token';

export interface Session {
  /** The token of this page; rejects while it has none. */
  token(): Promise<string>;
  /** Drops the token after the server refused it. */
  forget(): void;
  /** Exchanges the secret key for the token. The key itself is not stored. */
  enter(key: string): Promise<boolean>;
}

/**
 * Keeps the token that a dashboard link carries, or that the server returns for the secret key. The token of a link
 * is stored for this browser, the token for a key for this window.
 */
export function createSession(): Session {
  const stored = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
  let pageToken: Promise<string> | undefined = stored === null ? undefined : Promise.resolve(stored);

  const store = (storage: Storage, token: string): string => {
    clearStorage();
    storage.setItem(STORAGE_KEY, token);
    pageToken = Promise.resolve(token);
    // Last, since the connection asks for the token at once.
    keyWanted.value = undefined;
    return token;
  };
  const readAddress = (): void => {
    const given = secretInHash(location.hash);
    if (given === undefined) return;
    // Neither the address bar nor the history shows it any more.
    history.replaceState(null, '', location.pathname + location.search);
    if ('token' in given) return void store(localStorage, given.token);
    pageToken = exchange(given).then((answer) => {
      if ('token' in answer) return store(localStorage, answer.token);
      pageToken = undefined;
      keyWanted.value = { reason: 'used' };
      throw new Error('the code of the link is not good');
    });
    pageToken.catch(() => {});
  };

  // A link that is pasted into a page that is open changes the hash alone.
  addEventListener('hashchange', readAddress);
  readAddress();
  if (pageToken === undefined) keyWanted.value = { reason: 'missing' };

  return {
    async token() {
      if (pageToken === undefined) throw new Error('the page has no token');
      return pageToken;
    },
    forget() {
      clearStorage();
      pageToken = undefined;
      keyWanted.value = { reason: 'stale' };
    },
    async enter(key) {
      const answer = await exchange({ key });
      if ('token' in answer) store(sessionStorage, answer.token);
      else keyWanted.value = { reason: keyWanted.peek()?.reason ?? 'missing', ...answer };
      return 'token' in answer;
    },
  };
}

function clearStorage(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(STORAGE_KEY);
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
