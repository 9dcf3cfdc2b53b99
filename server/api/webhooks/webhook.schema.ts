import { CreatedTimestamp, Id, LastUpdatedTimestamp, Type, type Static } from '../../../protocol/schema.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';
import { WEBHOOK_URL_MAX } from './webhook.rules.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX,
  description: 'URL that events are sent to; must use https, in the sandbox also http',
});
const EventTypes = Type.Array(Type.Enum(EVENT_TYPE_NAMES), {
  minItems: 1,
  description: 'Types of the events to send',
});

/** An endpoint that receives events (Spec §4.2). Only the reply to its creation contains the signing secret. */
export const Webhook = Type.Object(
  {
    id: Id('webhook'),
    url: Url,
    active: Type.Boolean({ description: 'Whether events are sent to the endpoint' }),
    eventTypes: EventTypes,
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Webhook', description: 'A webhook endpoint, which events are sent to' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookCreated = Type.Object(
  {
    id: Id('webhook'),
    secret: Type.String({ description: 'Secret that signs each delivery. It is returned only once.' }),
    url: Url,
    active: Type.Boolean({ description: 'Whether events are sent to the endpoint' }),
    eventTypes: EventTypes,
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'WebhookCreated', description: 'A webhook endpoint, with the secret that signs its deliveries' },
);
export type WebhookCreated = Static<typeof WebhookCreated>;

export const WebhookCreate = Type.Object({
  url: Url,
  active: Type.Boolean({ description: 'Whether events are sent to the endpoint' }),
  eventTypes: EventTypes,
});

export const WebhookUpdate = Type.Partial(WebhookCreate);
