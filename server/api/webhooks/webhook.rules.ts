import { Refusal } from '../../platform/http/refusals.ts';
import type { EventType } from './event-types.ts';
import type { Mode } from '../../platform/settings.ts';

/** Longer than any real address, and short enough to print. */
export const WEBHOOK_URL_MAX = 2048;

/** Each of them may hear of every event, and the list of them has no pages (docs/choices.md, Webhooks). */
export const WEBHOOKS_MAX = 50;

/**
 * A webhook's url is absolute, http or https, and carries no credentials: those would end up in lists and logs.
 * Plain http is for receivers on a developer's own machine, so it needs a sandbox (docs/choices.md, Webhooks).
 */
export function refuseWebhookUrl(url: string, mode: Mode): void {
  const refuse = (problem: string) => {
    throw new Refusal('webhook_url', { problem });
  };
  // The URL parser drops white space and control characters, and mends missing slashes; what is stored must be
  // what is called.
  if (/[\s\p{Cc}]/u.test(url) || !/^https?:\/\/[^/\\]/i.test(url) || !URL.canParse(url)) {
    refuse('must be an absolute http or https URL');
  }
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '') refuse('must not contain a user name or password');
  if (mode === 'live' && protocol !== 'https:') refuse('must be https');
}

/** The event types as given, each once. */
export function tidyEventTypes(eventTypes: readonly EventType[]): EventType[] {
  return [...new Set(eventTypes)];
}
