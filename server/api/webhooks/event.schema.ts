import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';

export const DeliveryStatus = Type.Enum(['Pending', 'Success', 'Failed', 'None']);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

/** An event and its deliveries: Spec §6. A delivered webhook has this shape too. */
export const Event = Type.Object(
  {
    id: Id('event'),
    eventType: Type.Enum(EVENT_TYPE_NAMES, { description: 'Type of the event' }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Object that the event is about, as it was when the event was recorded',
      },
    ),
    endpoints: Type.Array(
      Type.Object({
        webhookId: Id('webhook'),
        acknowledged: Type.Boolean({ description: 'Whether the endpoint replied with a 2xx status' }),
        attempts: Type.Integer({ description: 'Number of delivery attempts so far' }),
      }),
      { description: 'Webhook endpoints that are subscribed to this event type; empty when there are none' },
    ),
    accountId: Type.Optional(
      Id(
        'account',
        'Unique identifier of the sub account that the event belongs to; absent for the platform',
      ),
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
    deliveryStatus: withDescription(
      DeliveryStatus,
      '`Pending` while an endpoint is yet to acknowledge the event, `Success` when all have, `Failed` when attempts to one ran out, `None` when no endpoint is subscribed',
    ),
  },
  {
    title: 'Event',
    description: 'A record of a change to an object. The body of a webhook delivery has the same form.',
  },
);
export type Event = Static<typeof Event>;

/** What is stored of an event; its deliveries have a table of their own. */
export const EVENT = {
  eventType: { schema: Event.properties.eventType, column: 'event_type', always: true, searched: true },
  /** Id of the object that it is about. */
  objectId: { schema: Type.String(), column: 'object_id', always: true, reply: 'hidden', searched: true },
  /** The text that is delivered, exactly. */
  body: { schema: Event, column: 'body', always: true, reply: 'hidden' },
} as const satisfies Properties;
