import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';
import { WEBHOOK_URL_MAX } from './webhook.rules.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX,
  description: 'https; in the sandbox http too',
});
const EventTypes = Type.Array(Type.Enum(EVENT_TYPE_NAMES), { minItems: 1 });

/** An endpoint that hears of events: Spec §4.2. The signing secret is shown once, by the call that creates it. */
export const Webhook = Type.Object(
  {
    id: Id('webhook'),
    url: Url,
    active: Type.Boolean({ description: 'An inactive endpoint is sent nothing' }),
    eventTypes: EventTypes,
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookCreated = Type.Object(
  {
    id: Id('webhook'),
    secret: Type.String({ description: 'Signs every delivery. Shown here and never again (Spec §6.6)' }),
    url: Url,
    active: Type.Boolean(),
    eventTypes: EventTypes,
    createdTimestamp: Timestamp,
  },
  { title: 'WebhookCreated' },
);
export type WebhookCreated = Static<typeof WebhookCreated>;

export const WebhookCreate = Type.Object({ url: Url, active: Type.Boolean(), eventTypes: EventTypes });

export const WebhookUpdate = Type.Partial(WebhookCreate);
