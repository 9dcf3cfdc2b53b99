import { createHash } from 'node:crypto';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { toTimestamp } from '../../../protocol/clock.ts';
import { ID_FORMS } from '../../../protocol/ids.ts';
import type { Static } from '../../../protocol/schema.ts';
import type { AccountRow } from '../accounts/account.records.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountLink } from './account-link.schema.ts';

/** `join`: complete the account. `signin`: agree that the platform acts for it. */
export type LinkKind = 'join' | 'signin';

export interface LinkRow extends Row {
  token_hash: string;
  kind: LinkKind;
  account_id: string;
  redirect_url: string;
  expires_ms: number;
  used_ms: number | null;
  created_ms: number;
}

// Tokens are long random strings, so an unsalted digest is enough.
function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Inserts a link; only the digest of its token is stored. */
async function insertLink(
  tx: Transaction,
  link: { token: string; kind: LinkKind; accountId: string; redirectUrl: string; expiresMs: number },
  nowMs: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO account_links (token_hash, kind, account_id, redirect_url, expires_ms, created_ms)
     VALUES (?, ?, ?, ?, ?, ?)`,
    digest(link.token),
    link.kind,
    link.accountId,
    link.redirectUrl,
    link.expiresMs,
    nowMs,
  );
}

/** Returns the link with this token; undefined when it is unknown, used or expired. */
export function findUnusedLink(
  queries: Queries,
  kind: LinkKind,
  token: string,
  nowMs: number,
): Promise<LinkRow | undefined> {
  return queries.get<LinkRow>(
    `SELECT * FROM account_links WHERE token_hash = ? AND kind = ? AND used_ms IS NULL AND expires_ms > ?`,
    digest(token),
    kind,
    nowMs,
  );
}

/** Marks a link as used; returns false when it was used before. */
export async function markLinkUsed(
  tx: Transaction,
  { token_hash: hash }: LinkRow,
  nowMs: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE account_links SET used_ms = ? WHERE token_hash = ? AND used_ms IS NULL`,
    nowMs,
    hash,
  );
  return changes === 1;
}

/** How long a link is good (docs/choices.md, Account links). */
const LINK_MS = 2 * 60 * 60 * 1000;

/** Paths of the pages that links lead to, and what the token is called in their query. */
export const LINK_PAGES: Record<LinkKind, { path: string; parameter: string }> = {
  join: { path: '/join', parameter: 'l' },
  signin: { path: '/signin', parameter: 'atl' },
};

/**
 * Creates a link to a page of this server: `join` completes a Hosted sub account, `signin` authorises the platform.
 * @param findAccount finds the sub account, or throws why there can be no link for it
 */
export async function createLink(
  { clock, ids, settings, store }: Services,
  kind: LinkKind,
  redirectUrl: string,
  findAccount: (tx: Transaction) => Promise<Pick<AccountRow, 'id'>>,
): Promise<Static<typeof AccountLink>> {
  const nowMs = clock.nowMs();
  const token = kind === 'join' ? ID_FORMS.accountLink.prefix + ids.secret(24) : ids.secret(24);
  const link = { token, kind, redirectUrl, expiresMs: nowMs + LINK_MS };
  await store.transaction(
    async (tx) => {
      tx.delayReset();
      const { id: accountId } = await findAccount(tx);
      await insertLink(tx, { ...link, accountId }, nowMs);
    },
    { guardedBy: [] },
  );
  const { path, parameter } = LINK_PAGES[kind];
  return {
    createdTimestamp: toTimestamp(nowMs),
    expiresTimestamp: toTimestamp(link.expiresMs),
    url: `${settings.publicUrl}${path}?${parameter}=${token}`,
  };
}
