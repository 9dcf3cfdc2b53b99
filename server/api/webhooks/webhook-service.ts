import type { Static } from '../../../protocol/schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import { countWebhooks, webhooks, type WebhookRow } from './webhook.records.ts';
import type { WebhookCreate, WebhookUpdate } from './webhook.schema.ts';
import type { EventType } from './event-types.ts';
import type { Mode } from '../../platform/settings.ts';

/**
 * Creates a webhook of a platform. Its URL has been checked by `refuseUrl`.
 * @throws Refusal `webhooks_limit`.
 */
export async function createWebhook(
  services: Context,
  platformId: string,
  { url, active, eventTypes }: Static<typeof WebhookCreate>,
): Promise<WebhookRow> {
  const { clock, ids, store } = services;
  const webhook = {
    id: ids.make('webhook'),
    secret: ids.make('webhookSecret'),
    accountId: platformId,
    url,
    active,
    eventTypes: uniqueEventTypes(eventTypes),
  };
  return store.transaction(
    async (tx) => {
      tx.lockRow('accounts', platformId);
      const most = WEBHOOKS_MAX;
      if ((await countWebhooks(tx, platformId)) >= most) throw new Refusal('webhooks_limit', { most });
      return webhooks.insert(tx, webhook, clock.nowMs());
    },
    { guardedBy: ['registrationLimits'] },
  );
}

/**
 * Updates a webhook; returns undefined when it was already deleted.
 * @throws Refusal `webhook_url` or `webhook_private`.
 */
export async function changeWebhook(
  services: Services,
  id: string,
  body: Static<typeof WebhookUpdate>,
): Promise<WebhookRow | undefined> {
  const { clock, store } = services;
  if (body.url !== undefined) await refuseUrl(services, body.url);
  const change = { ...body, eventTypes: body.eventTypes && uniqueEventTypes(body.eventTypes) };
  return store.transaction((tx) => webhooks.update(tx, id, change, clock.nowMs()), { guardedBy: [] });
}

/** @throws Refusal `webhook_url` or `webhook_private`, after a look at the addresses of the host */
export async function refuseUrl(
  { outgoing, settings }: Pick<Services, 'outgoing' | 'settings'>,
  url: string,
): Promise<void> {
  refuseWebhookUrl(url, settings.mode);
  if (!(await outgoing.allowed(url))) throw new Refusal('webhook_private');
}

/** Maximum number of webhooks of a platform: each may receive every event, and the list has no pages (docs/choices.md, Webhooks). */
const WEBHOOKS_MAX = 50;

/**
 * Checks that a URL is absolute, http or https (https only in live mode), and has no credentials, which would end up
 * in lists and logs (docs/choices.md, Webhooks).
 * @throws Refusal `webhook_url`.
 */
function refuseWebhookUrl(url: string, mode: Mode): void {
  const refuse = (problem: string) => {
    throw new Refusal('webhook_url', { problem });
  };
  // The URL parser drops white space and control characters and adds missing slashes; the URL stored must be the one
  // called.
  if (/[\s\p{Cc}]/u.test(url) || !/^https?:\/\/[^/\\]/i.test(url) || !URL.canParse(url)) {
    refuse('must be an absolute http or https URL');
  }
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '') refuse('must not contain a user name or password');
  if (mode === 'live' && protocol !== 'https:') refuse('must be https');
}

/** Returns the event types in the order given, without duplicates. */
function uniqueEventTypes(eventTypes: readonly EventType[]): EventType[] {
  return [...new Set(eventTypes)];
}
