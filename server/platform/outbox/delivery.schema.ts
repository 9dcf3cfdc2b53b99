import {
  CreatedTimestamp,
  Id,
  Nullable,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PageQuery } from '../http/paging.schema.ts';
import { EventType, HttpMethod, RequestPath, StatusFilter } from '../http/text.schema.ts';
import { Url } from '../http/url.schema.ts';

const DeliveryId = Type.String({
  description:
    'Unique identifier of the delivery: those of its event and its endpoint, with a dot between them',
  examples: ['ev_01J9Z60A1B2C3D4E5F6G7H8J9K.wh_5d0f2a68-1c3b-4e7a-9b1d-2f6c8e0a4b91'],
});
const EndpointUrl = Url('webhook', 'URL of the endpoint, without its query');
const SandboxTime = (description: string) =>
  withDescription(CreatedTimestamp, `${description}, time of the sandbox: a Unix timestamp, in seconds`);
const NullableTime = (description: string) => Nullable(Timestamp, `${description}, time of the sandbox`);

const STATUSES = ['Pending', 'Retrying', 'Delivered', 'Failed'] as const;
const DeliveryStatus = Type.Enum(STATUSES, {
  description:
    '`Pending` before the first attempt, `Retrying` while another attempt is due, `Delivered` once the endpoint replied with 2xx, `Failed` when no further attempt is due',
});

/** The delivery of an event to one endpoint, as a list shows it. */
export const DeliverySummary = Type.Object(
  {
    id: DeliveryId,
    eventId: Id('event'),
    eventType: EventType,
    objectId: Type.String({ description: 'Id of the object that the event is about' }),
    accountId: Id('account', 'Account that the event belongs to'),
    webhookId: Id('webhook'),
    url: EndpointUrl,
    status: DeliveryStatus,
    attempts: Type.Integer({ description: 'Number of attempts so far' }),
    lastResult: Nullable(
      Type.String({ examples: ['500'] }),
      'HTTP status that the endpoint replied with last, or why there was no reply; null before the first attempt',
    ),
    createdTimestamp: SandboxTime('When the event was recorded'),
    lastAttemptTimestamp: NullableTime('When the last attempt ended'),
    nextAttemptTimestamp: NullableTime('When the next attempt is due; null when there is none'),
  },
  { title: 'DeliverySummary', description: 'The delivery of an event to one endpoint' },
);
export type DeliverySummary = Static<typeof DeliverySummary>;

const Fields = (description: string) => Type.Object({}, { additionalProperties: true, description });

const DeliveryAttempt = Type.Object({
  number: Type.Integer({ description: 'Its place among all attempts of the delivery, from 1' }),
  createdTimestamp: SandboxTime('When it began'),
  sentTimestamp: withDescription(Timestamp, 'Real time at which it began: a Unix timestamp, in seconds'),
  elapsedMs: Type.Number({ description: 'Milliseconds until the reply was read', examples: [12.4] }),
  sentAgain: Type.Boolean({ description: 'Whether it was made by hand, besides the schedule' }),
  headers: Fields('Headers that were sent'),
  reply: Nullable(
    Type.Object({
      status: Type.Integer({ description: 'HTTP status', examples: [500] }),
      headers: Fields('Headers of the reply, without secrets'),
      body: Type.String({ description: 'Beginning of the body of the reply, without secrets' }),
      isCut: Type.Boolean({ description: 'Whether the body was longer' }),
    }),
    'Reply of the endpoint; null when there was none',
  ),
  problem: Nullable(
    Type.String({ examples: ['no answer within 10 s'] }),
    'Why there was no reply; null when there was one',
  ),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** A delivery with everything that is stored of it. */
export const Delivery = Type.Object(
  {
    ...DeliverySummary.properties,
    endpoint: Type.Object(
      {
        active: Type.Boolean({ description: 'Whether events are sent to it' }),
        deleted: Type.Boolean({ description: 'Whether the endpoint was deleted' }),
      },
      { description: 'Whether the endpoint still exists' },
    ),
    body: Type.String({ description: 'Body of every attempt, the exact text that is signed' }),
    signature: Type.Object(
      {
        header: Type.String({ description: 'Header that carries the signature', examples: ['Signature'] }),
        algorithm: Type.String({
          description: 'How it is computed from the body',
          examples: ['HMAC-SHA256'],
        }),
        value: Nullable(
          Type.String({ examples: ['8cd6848b3bbc83e1ca6dd0666668dec042aadaa36a3df26b1c4f0910ffb01cd1'] }),
          'Signature of the body; null when the endpoint was deleted before an attempt was stored',
        ),
      },
      { description: 'Signature of the body, and how it is computed' },
    ),
    attemptLog: Type.Array(DeliveryAttempt, {
      description:
        'What the attempts sent and got, oldest first; the oldest are dropped when there are very many',
    }),
    objectIds: Type.Array(Type.String(), { description: 'Ids of the objects in the body' }),
    request: Nullable(
      Type.Object({
        id: Id('request'),
        method: HttpMethod,
        path: RequestPath,
        status: Nullable(
          Type.Integer({ examples: [200] }),
          'HTTP status of the reply; null when the caller closed the connection before it',
        ),
        whileItRan: Type.Boolean({
          description:
            'Whether the event was recorded while the request ran. Otherwise it is the latest before the event about its object.',
        }),
      }),
      'Request that caused the event; null when none is stored',
    ),
  },
  { title: 'Delivery', description: 'The delivery of an event to one endpoint, with its attempts' },
);
export type Delivery = Static<typeof Delivery>;

/** Pages and filters of the list. A delivery of the list fits all filters. */
export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(DeliveryStatus),
  reply: Type.Optional(
    StatusFilter(
      'What the last attempt got: a status such as `404`, a class of them such as `5xx`, or `none` for no reply',
      { pattern: '^(?:[1-5](?:\\d\\d|xx)|none)$' },
    ),
  ),
  event: Type.Optional(Type.String({ maxLength: 100, description: 'Id of the event, or text in its type' })),
  object: Type.Optional(Type.String({ maxLength: 100, description: 'Id of an object in the body' })),
  endpoint: Type.Optional(
    Type.String({ maxLength: 200, description: 'Id of the endpoint, or text in its URL' }),
  ),
  text: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the body or in a reply' })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

/** An endpoint with its health. */
export const WebhookEndpoint = Type.Object(
  {
    id: Id('webhook'),
    url: EndpointUrl,
    active: Type.Boolean({ description: 'Whether events are sent to it' }),
    eventTypes: Type.Array(Type.String(), { description: 'Types of the events that are sent to it' }),
    createdTimestamp: CreatedTimestamp,
    health: Type.Object(
      {
        deliveries: Type.Integer({
          description: 'Number of deliveries looked at: the latest, 1,000 at most',
        }),
        delivered: Type.Integer({ description: 'Number of deliveries that were acknowledged with 2xx' }),
        failed: Type.Integer({ description: 'Number of deliveries whose attempts have run out' }),
        waiting: Type.Integer({ description: 'Number of deliveries that await an attempt' }),
        failuresInRow: Type.Integer({
          description: 'Number of those whose last attempt failed, since the last success',
        }),
        lastSuccessTimestamp: NullableTime('When one of them was delivered last'),
        lastFailureTimestamp: NullableTime('When an attempt at one that is not delivered failed last'),
        lastFailure: Nullable(
          Type.String({ examples: ['no answer (connect ECONNREFUSED 127.0.0.1:3000)'] }),
          'HTTP status of that attempt, or why there was no reply',
        ),
        nextAttemptTimestamp: NullableTime('When the next attempt is due'),
      },
      { description: 'Results of the latest deliveries to the endpoint' },
    ),
  },
  { title: 'WebhookEndpoint', description: 'A webhook endpoint and how its latest deliveries went' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
