import {
  CreatedTimestamp,
  CurrencyText,
  Id,
  Nullable,
  SignedAmount,
  Timestamp,
  Type,
  textOf,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.ts';
import { ObjectAction } from './object-action.schema.ts';
import { OBJECT_TYPE_NAMES } from './object-types.ts';
import { EventType, HttpMethod, RequestPath } from '../../platform/http/text.schema.ts';

const LISTED_TYPES = [...OBJECT_TYPE_NAMES, 'balance'] as const;

const ObjectId = Type.String({
  description: 'Id of the object; of a balance that of its account with the currency, such as `ac_…:GBP`',
});

const Status = textOf('Captured');

/** An object of any type, as a list shows it. */
export const ObjectSummary = Type.Object(
  {
    id: ObjectId,
    type: Type.Enum([...LISTED_TYPES], { description: 'Type of the object' }),
    accountId: Nullable(Id('account'), 'Account that it belongs to; null for products and SKUs'),
    label: Nullable(
      Type.String({ examples: ['ana@corner.example'] }),
      'What a person calls it, such as a name or an e-mail address; null for none',
    ),
    status: Nullable(
      Status(),
      'Status of the object or of its verification or deliveries; null for a type without one',
    ),
    amount: Nullable(
      Type.Integer({ examples: [1742] }),
      'Amount in minor units of `currency`; null for a type without one',
    ),
    currency: Nullable(CurrencyText(), 'Three-letter ISO 4217 currency code; null without an amount'),
    deleted: Type.Boolean({
      description: 'Whether the object was deleted. A list leaves deleted objects out.',
    }),
    createdTimestamp: Nullable(CreatedTimestamp, 'Unix timestamp, in seconds; null where none is stored'),
  },
  { title: 'ObjectSummary', description: 'An object of any type' },
);

const StateChange = Type.Object({
  status: Status('Status from this time on'),
  createdTimestamp: withDescription(
    Timestamp,
    'Time from which on the object has the status: a Unix timestamp, in seconds',
  ),
  eventId: Nullable(Id('event'), 'Event that was recorded with the change; null for none'),
  requestId: Nullable(Id('request'), 'Stored request whose reply shows the change first; null for none'),
});

const EventOfObject = Type.Object({
  id: Id('event'),
  eventType: EventType,
  createdTimestamp: CreatedTimestamp,
});

const RequestOfObject = Type.Object({
  id: Id('request'),
  method: HttpMethod,
  path: RequestPath,
  status: Nullable(Type.Integer({ examples: [200] }), 'HTTP status of the reply; null without one'),
  createdTimestamp: CreatedTimestamp,
});

const LedgerEntry = Type.Object({
  id: withDescription(Id('balanceTransaction'), 'Id of its first balance transaction'),
  type: Type.String({
    description: 'Type of its first balance transaction',
    examples: ['TransactionCapture'],
  }),
  createdTimestamp: CreatedTimestamp,
  postings: Type.Array(
    Type.Object({
      holder: Type.String({
        description: 'Id of an account, or who is outside of the ledger, such as `outside:cards`',
      }),
      amount: withDescription(SignedAmount, 'Amount in minor units of `currency`, negative for a debit'),
      currency: CurrencyText('Three-letter ISO 4217 currency code'),
    }),
    { description: 'Postings, whose sum is zero in each currency' },
  ),
});

/** An object with everything that is stored about it. */
export const ObjectDetail = Type.Object(
  {
    ...ObjectSummary.properties,
    object: Type.Object({}, { additionalProperties: true, description: 'The object, without its secrets' }),
    state: Nullable(
      Type.String({ examples: ['captured'] }),
      'State of its machine, as a dotted path; null for a type without a machine',
    ),
    nextMoment: Nullable(
      Type.Object({
        what: Type.String({
          description: 'What happens to the object, such as `expires`',
          examples: ['expires'],
        }),
        timestamp: withDescription(Timestamp, 'When it happens: a Unix timestamp, in seconds'),
      }),
      'What happens to it next by itself; null for nothing',
    ),
    actions: Type.Array(ObjectAction, { description: 'Operations that it allows in its present state' }),
    names: Type.Array(
      Type.Object({
        member: Type.String({ description: 'Member of the object, or `account`', examples: ['customerId'] }),
        id: ObjectId,
      }),
      { description: 'Objects that this one names by their ids' },
    ),
    namedBy: Type.Array(
      Type.Object({
        type: ObjectSummary.properties.type,
        items: Type.Array(ObjectSummary, {
          description: 'The latest objects of the type that name this one',
        }),
        hasMore: Type.Boolean({ description: 'Whether more objects of the type name this one' }),
      }),
      { description: 'Objects that name it, by their types' },
    ),
    history: Type.Object(
      {
        states: Type.Array(StateChange, { description: 'Its statuses, oldest first' }),
        events: Type.Array(EventOfObject, { description: 'Its latest events, newest first' }),
        requests: Type.Array(RequestOfObject, { description: 'The latest stored requests, newest first' }),
        entries: Type.Array(LedgerEntry, { description: 'Its latest ledger entries, newest first' }),
        hasMore: Type.Object(
          {
            events: Type.Boolean({ description: 'Whether it has older events' }),
            requests: Type.Boolean({ description: 'Whether there are older requests' }),
            entries: Type.Boolean({ description: 'Whether it has older ledger entries' }),
          },
          { description: 'What has more than the hundred that are shown' },
        ),
      },
      { description: 'History of the object' },
    ),
  },
  { title: 'ObjectDetail', description: 'An object with its relations and its history' },
);

export const ObjectQuery = Type.Object({
  ...PageQuery.properties,
  ...TimeWindow,
  type: Type.Enum([...LISTED_TYPES], { description: 'Type of the objects' }),
  account: Type.Optional(Type.String({ maxLength: 100, description: 'Account that they belong to' })),
  status: Type.Optional(
    Type.String({ maxLength: 100, description: 'Status, such as `Captured`, for types that store one' }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Type of transactions, events, accounts and actions, category of files and disputes, entry mode of payment sessions, scheme of payment methods, schedule of payouts, country of SKUs',
    }),
  ),
  object: Type.Optional(Type.String({ maxLength: 100, description: 'Id of an object that they name' })),
  historyOf: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Id of an object: only the events, or the balance transactions of the ledger entries, of its history. Of other types none fit.',
    }),
  ),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Text in the id, the name, the e-mail address or the metadata',
    }),
  ),
});

/** One place that a search leads to. */
export const SearchResult = Type.Object(
  {
    id: Type.String({ description: 'Id of what was found' }),
    type: Type.Enum([...LISTED_TYPES, 'request'], { description: 'Type of what was found' }),
    label: ObjectSummary.properties.label,
  },
  { title: 'SearchResult', description: 'An object or a stored request that a search found' },
);

export const SearchQuery = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Any id, also of a stored request, the `requestId` of an error, the serial number of a terminal or an e-mail address',
  }),
});

export type ObjectSummary = Static<typeof ObjectSummary>;
export type ObjectDetail = Static<typeof ObjectDetail>;
export type ObjectQuery = Static<typeof ObjectQuery>;
export type SearchResult = Static<typeof SearchResult>;
