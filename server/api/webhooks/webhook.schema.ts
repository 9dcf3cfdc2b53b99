import { CreatedTimestamp, Id, Type, type Static } from '../../../protocol/schema.ts';
import {
  CREATED,
  CreateSchema,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
} from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';
import { Url } from '../../platform/http/url.schema.ts';

/** Maximum length of a webhook's URL. */
const WEBHOOK_URL_MAX = 2048;

const WebhookUrl = Url('webhook', 'URL that events are sent to; must use https, in the sandbox also http', {
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX,
});
const EventTypes = Type.Array(Type.Enum(EVENT_TYPE_NAMES), {
  minItems: 1,
  description: 'Types of the events to send',
});

/** An endpoint that receives events (Spec §4.2). Only the reply to its creation contains the signing secret. */
export const WEBHOOK = {
  url: { schema: WebhookUrl, column: 'url', create: 'required', update: 'set', searched: true },
  active: {
    schema: Type.Boolean({ description: 'Whether events are sent to the endpoint' }),
    column: 'active',
    create: 'required',
    update: 'set',
  },
  eventTypes: {
    schema: EventTypes,
    column: 'event_types',
    create: 'required',
    update: 'set',
  },
  secret: { schema: Type.String(), column: 'secret', always: true, reply: 'hidden' },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Webhook = ObjectSchema('webhook', WEBHOOK, {
  title: 'Webhook',
  description: 'A webhook endpoint, which events are sent to',
});
export type Webhook = Static<typeof Webhook>;

export const WebhookCreated = Type.Object(
  {
    id: Id('webhook'),
    secret: Type.String({ description: 'Secret that signs each delivery. It is returned only once.' }),
    url: WebhookUrl,
    active: Type.Boolean({ description: 'Whether events are sent to the endpoint' }),
    eventTypes: EventTypes,
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'WebhookCreated', description: 'A webhook endpoint, with the secret that signs its deliveries' },
);
export type WebhookCreated = Static<typeof WebhookCreated>;

export const WebhookCreate = CreateSchema(WEBHOOK);

export const WebhookUpdate = UpdateSchema(WEBHOOK);
