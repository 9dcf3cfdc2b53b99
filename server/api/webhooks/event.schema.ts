import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';

export const DeliveryStatus = Type.Enum(['Pending', 'Success', 'Failed', 'NotRequired']);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

/** What happened, and whom it was told: Spec §6. A delivered webhook has this shape too. */
export const Event = Type.Object(
  {
    id: Id('event'),
    eventType: Type.Enum(EVENT_TYPE_NAMES),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The whole object that the event is about, as it was at that moment',
      },
    ),
    endpoints: Type.Array(
      Type.Object({ webhookId: Id('webhook'), acknowledged: Type.Boolean(), attempts: Type.Integer() }),
      { description: 'The endpoints that listened for it; empty when none did' },
    ),
    accountId: Type.Optional(Id('account')),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
    deliveryStatus: DeliveryStatus,
  },
  { title: 'Event' },
);
export type Event = Static<typeof Event>;
