import { Refusal } from '../../platform/http/refusals.ts';
import type { EventType } from './event-types.ts';
import type { Mode } from '../../platform/settings.ts';

/** Maximum length of a webhook's URL. */
export const WEBHOOK_URL_MAX = 2048;

/** Maximum number of webhooks of a platform: each may receive every event, and the list has no pages (docs/choices.md, Webhooks). */
export const WEBHOOKS_MAX = 50;

/**
 * Checks that a URL is absolute, http or https (https only in live mode), and has no credentials, which would end up
 * in lists and logs (docs/choices.md, Webhooks).
 * @throws Refusal `webhook_url`.
 */
export function refuseWebhookUrl(url: string, mode: Mode): void {
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
export function uniqueEventTypes(eventTypes: readonly EventType[]): EventType[] {
  return [...new Set(eventTypes)];
}
