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
import { HttpMethod, HttpMethodFilter, RequestPath, StatusFilter } from '../http/text.schema.ts';

/** A request as a list shows it. */
export const RequestSummary = Type.Object(
  {
    id: Id('request'),
    method: HttpMethod,
    path: RequestPath,
    status: Nullable(
      Type.Integer({ examples: [200] }),
      'HTTP status of the reply; null when the caller closed the connection before it',
    ),
    createdTimestamp: withDescription(
      CreatedTimestamp,
      'Time of the sandbox at which it arrived: a Unix timestamp, in seconds',
    ),
    receivedTimestamp: withDescription(
      Timestamp,
      'Real time at which it arrived: a Unix timestamp, in seconds',
    ),
    elapsedMs: Type.Number({ description: 'Milliseconds until the reply was sent', examples: [3.2] }),
    keyLastFour: Nullable(
      Type.String({ examples: ['4Zq9'] }),
      'Last four characters of the key or token that it was sent with; null without one',
    ),
    accountId: Nullable(Id('account'), 'Account that it was made for; null when its key was not accepted'),
    requestId: Nullable(
      Type.String({ examples: ['3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11'] }),
      '`requestId` of the error; null for other replies',
    ),
    operation: Nullable(
      Type.String({ examples: ['POST /payment-sessions'] }),
      'Operation as this document lists it, without /v1; null when there is none',
    ),
    refusal: Nullable(
      Type.String({ examples: ['not_found'] }),
      'Name of the rule that it broke; null for none',
    ),
    idempotencyKey: Nullable(
      Type.Enum(['used', 'ignored'], { examples: ['ignored'] }),
      'How its header `Idempotency-Key` was treated: `ignored` where the settings turn keys off or the operation takes none; null without one',
    ),
    objectIds: Type.Array(Type.String(), { description: 'Ids of the objects in its path, body and reply' }),
  },
  { title: 'RequestSummary', description: 'A request that the server received' },
);

const Fields = (description: string) => Type.Object({}, { additionalProperties: true, description });

/** A request with everything that is stored of it. */
export const StoredRequest = Type.Object(
  {
    ...RequestSummary.properties,
    query: Fields('Parameters of the query'),
    headers: Fields('Headers that matter to the API'),
    body: Type.Unknown({
      description:
        'JSON of the body without its secrets, or its text; of a form, its fields with the name, type and size of its `file`; null for none, and for one that was not read',
    }),
    replyHeaders: Fields('Headers of the reply that matter to the API'),
    reply: Type.Unknown({ description: 'JSON of the reply without its secrets; null for a file' }),
    section: Nullable(
      Type.String({ examples: ['Spec §7'] }),
      'Section that requires the refusal; null when the request was not refused',
    ),
    reference: Nullable(
      Type.String({ examples: ['/docs#/Payment%20session/postPaymentSessions'] }),
      'Path of the operation in the API reference; null when there is none',
    ),
    events: Type.Array(
      Type.Object({
        id: Id('event'),
        eventType: Type.String({ description: 'Type of the event', examples: ['PaymentSession.approved'] }),
        objectId: Type.String({ description: 'Id of the object that it is about' }),
      }),
      { description: 'Events of its objects that were recorded while it ran' },
    ),
  },
  { title: 'StoredRequest', description: 'A request that the server received, with its reply' },
);

/** Pages and filters of the list. A request of the list fits all filters. */
export const RequestQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    StatusFilter(
      'A status such as `404`, a class of them such as `4xx`, or `none` for requests without a reply',
      { pattern: '^(?:[1-5](?:\\d\\d|xx)|none)$' },
    ),
  ),
  method: Type.Optional(HttpMethodFilter),
  path: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the path' })),
  object: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of an object in path, body or reply' }),
  ),
  historyOf: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Id of an object: only the requests of its history, which has no reads of `/sandbox`',
    }),
  ),
  idempotencyKey: Type.Optional(
    Type.Enum(['used', 'ignored'], { description: 'How the header `Idempotency-Key` was treated' }),
  ),
  account: Type.Optional(Type.String({ maxLength: 100, description: 'Account that it was made for' })),
  text: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in path, query, body, reply, or an id of the request' }),
  ),
});
export type RequestQuery = Static<typeof RequestQuery>;
export type RequestSummary = Static<typeof RequestSummary>;
export type StoredRequest = Static<typeof StoredRequest>;
