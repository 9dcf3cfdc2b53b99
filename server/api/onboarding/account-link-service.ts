import { toTimestamp } from '../../../protocol/clock.ts';
import { ID_FORMS } from '../../../protocol/ids.ts';
import type { Static } from '../../../protocol/schema.ts';
import type { Services } from '../../platform/services.ts';
import { insertLink, type LinkKind } from './account-link.records.ts';
import type { AccountLink } from './account-link.schema.ts';

/** How long a link is good (docs/choices.md, Account links). */
const LINK_MS = 2 * 60 * 60 * 1000;

/** Paths of the pages that links lead to, and what the token is called in their query. */
export const LINK_PAGES: Record<LinkKind, { path: string; parameter: string }> = {
  join: { path: '/join', parameter: 'l' },
  signin: { path: '/signin', parameter: 'atl' },
};

/** Creates a link to a page of this server: `join` completes a Hosted sub account, `signin` authorises the platform. */
export async function createLink(
  { clock, ids, settings, store }: Services,
  kind: LinkKind,
  accountId: string,
  redirectUrl: string,
): Promise<Static<typeof AccountLink>> {
  const nowMs = clock.nowMs();
  const token = kind === 'join' ? ID_FORMS.accountLink.prefix + ids.secret(24) : ids.secret(24);
  const link = { token, kind, accountId, redirectUrl, expiresMs: nowMs + LINK_MS };
  await store.transaction((tx) => insertLink(tx, link, nowMs));
  const { path, parameter } = LINK_PAGES[kind];
  return {
    createdTimestamp: toTimestamp(nowMs),
    expiresTimestamp: toTimestamp(link.expiresMs),
    url: `${settings.publicUrl}${path}?${parameter}=${token}`,
  };
}
