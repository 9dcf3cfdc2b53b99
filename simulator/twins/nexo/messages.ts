import { isObject, parseOutsideJson } from '../../../protocol/outside-json.ts';
import { checker, Type, type Static } from '../../../protocol/schema.ts';
import { isKeyOf, keysOf, tableOf } from '../../../protocol/tables.ts';
import type { EncryptedPart } from './encryption.ts';

// Requests of a till, with the members that the terminal needs. It ignores the others.

const Header = Type.Object({
  ProtocolVersion: Type.String(),
  MessageClass: Type.Enum(['Service', 'Device', 'Event']),
  MessageCategory: Type.String(),
  MessageType: Type.Literal('Request'),
  ServiceID: Type.String({ pattern: '^[A-Za-z0-9]{1,10}$' }),
  SaleID: Type.String({ minLength: 1, maxLength: 100 }),
  POIID: Type.String({ minLength: 1, maxLength: 100 }),
});
export type Header = Static<typeof Header>;

const TransactionId = Type.Object({
  TransactionID: Type.String({ minLength: 1, maxLength: 100 }),
  TimeStamp: Type.String({ maxLength: 40 }),
});
const Amount = Type.Number({ exclusiveMinimum: 0, maximum: 10_000_000 });

const Payment = Type.Object({
  SaleData: Type.Object({ SaleTransactionID: TransactionId }),
  PaymentTransaction: Type.Object({
    AmountsReq: Type.Object({ Currency: Type.String({ pattern: '^[A-Z]{3}$' }), RequestedAmount: Amount }),
  }),
  PaymentData: Type.Optional(Type.Object({ PaymentType: Type.Optional(Type.Enum(['Normal', 'Refund'])) })),
});
const Reversal = Type.Object({
  OriginalPOITransaction: Type.Object({ POITransactionID: TransactionId }),
  ReversalReason: Type.Enum(['CustCancel', 'Malfunction', 'MerchantCancel', 'Unable2Compl']),
  ReversedAmount: Type.Optional(Amount),
});
const MessageReference = Type.Object({
  SaleID: Type.Optional(Type.String({ maxLength: 100 })),
  ServiceID: Type.String({ maxLength: 10 }),
});
const Text = Type.Object({
  Text: Type.Optional(Type.String({ maxLength: 1_000 })),
  EndOfLineFlag: Type.Optional(Type.Boolean()),
});
const OutputContent = Type.Object({
  OutputFormat: Type.Enum(['Text', 'XHTML', 'MessageRef', 'BarCode']),
  OutputText: Type.Optional(Type.Array(Text, { maxItems: 500 })),
});

/** The body of a request by its category; an object where the terminal needs nothing of it. */
const BODIES = {
  Payment,
  Reversal,
  Abort: Type.Object({ MessageReference }),
  TransactionStatus: Type.Object({ MessageReference: Type.Optional(MessageReference) }),
  Diagnosis: Type.Object({ HostDiagnosisFlag: Type.Optional(Type.Boolean()) }),
  Display: Type.Object({
    DisplayOutput: Type.Array(
      Type.Object({ Device: Type.String(), InfoQualify: Type.String(), OutputContent }),
      { minItems: 1, maxItems: 20 },
    ),
  }),
  Print: Type.Object({ PrintOutput: Type.Object({ DocumentQualifier: Type.String(), OutputContent }) }),
  EnableService: Type.Object({ TransactionAction: Type.Enum(['StartTransaction', 'AbortTransaction']) }),
  Login: Type.Object({}),
  Logout: Type.Object({}),
  GetTotals: Type.Object({}),
  Reconciliation: Type.Object({}),
} as const;
type Category = keyof typeof BODIES;

/** A request of each category, with its header. */
export type NexoRequest = {
  [Name in Category]: { category: Name; header: Header; body: Static<(typeof BODIES)[Name]> };
}[Category];

/** What is wrong with a request, and where it is answered: with an error of HTTP, or in a response of its category. */
export type ReadProblem =
  | { type: 'notJson' }
  | { type: 'envelope'; problem: string }
  | { type: 'body'; problem: string; header: Header; isKnown: boolean };

const CHECKS = tableOf(keysOf(BODIES), (name) => checker(BODIES[name]));
const checkHeader = checker(Header);
const checkTrailer = checker(
  Type.Object({
    NexoBlob: Type.String(),
    SecurityTrailer: Type.Object({
      AdyenCryptoVersion: Type.Integer(),
      KeyIdentifier: Type.String(),
      KeyVersion: Type.Integer(),
      Nonce: Type.String(),
      Hmac: Type.String(),
    }),
  }),
);

type Members = Record<string, unknown>;

/** Reads `SaleToPOIRequest` of a text. */
export function readEnvelope(text: string): { members: Members; header: Header } | ReadProblem {
  const parsed = parsedObject(text);
  if (!parsed) return { type: 'notJson' };
  const members = parsed['SaleToPOIRequest'];
  if (!isObject(members)) return problemAt('SaleToPOIRequest: Missing');
  const header = members['MessageHeader'];
  if (!isHeader(header)) {
    const [first] = checkHeader(header);
    return problemAt(`MessageHeader${first?.path ? `.${first.path}` : ''}: ${first?.message}`);
  }
  return { members, header };
}

const problemAt = (text: string): ReadProblem => ({
  type: 'envelope',
  problem: `At SaleToPOIRequest, field ${text}`,
});

function parsedObject(text: string): Members | undefined {
  try {
    const parsed = parseOutsideJson(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is Header {
  return checkHeader(value).length === 0;
}

/** Returns whether a message is encrypted, and all that is needed to decrypt it is there. */
export function isEncrypted(members: unknown): members is EncryptedPart {
  return checkTrailer(members).length === 0;
}

/** Reads the body of a request, which the category of its header names. */
export function readBody(members: Members, header: Header): NexoRequest | ReadProblem {
  const { MessageCategory: category } = header;
  if (!isKeyOf(CHECKS, category)) {
    const problem = `At SaleToPOIRequest, field MessageHeader.MessageCategory: ${categoryProblem}`;
    return { type: 'body', problem, header, isKnown: false };
  }
  const body = members[`${category}Request`];
  const request: unknown = { category, header, body };
  const [first] = CHECKS[category](body);
  if (!first && isRequest(request)) return request;
  const place = `field ${category}Request${first?.path ? `.${first.path}` : ''}`;
  const rule = body === undefined ? 'Missing' : first?.message;
  return { type: 'body', problem: `At SaleToPOIRequest, ${place}: ${rule}`, header, isKnown: true };
}

const categoryProblem = 'the terminal does not have this category';

/** What was read is a request once the check of its category has found nothing. */
function isRequest(value: unknown): value is NexoRequest {
  return isObject(value) && typeof value['category'] === 'string' && isKeyOf(BODIES, value['category']);
}
