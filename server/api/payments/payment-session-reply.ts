import { Type } from '../../../protocol/schema.ts';
import { readPage, type PageSource } from '../../platform/http/paging.ts';
import type { PageQuery } from '../../platform/http/paging.schema.ts';
import { ReplyText } from '../../platform/http/reply-text.ts';
import { serialiser } from '../../platform/http/serialiser.ts';
import type { Queries, Row } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { PaymentSession } from './payment-session.schema.ts';
import { toPaymentSession, toPaymentSessionWithoutSecret } from './payment-session-view.ts';

// Number of the form of the stored replies. Raise it when the reply of a row that stays as it is changes.
const REPLY_VERSION = 1;

const serialise = serialiser(PaymentSession);
const serialiseWithoutSecret = serialiser(Type.Omit(PaymentSession, ['clientSecret']));

/** The columns that hold the reply of a session. They are written with the rest of the row. */
export const REPLY_COLUMNS = ['reply', 'reply_version', 'reply_ms'] as const;

interface ReplyColumns extends Row {
  reply: string;
  reply_version: number;
  /** Time at which the row was saved with this reply, epoch milliseconds. */
  reply_ms: number;
}

/** Returns the reply of a row. The secret is not stored a second time. */
export function replyColumnsOf(row: PaymentSessionRow): ReplyColumns {
  const reply = serialiseWithoutSecret(toPaymentSessionWithoutSecret(row));
  return { reply, reply_version: REPLY_VERSION, reply_ms: row.updated_ms };
}

interface StoredReply extends Row {
  id: string;
  client_secret: string;
  /** Null when another version of this program, with replies of another form or without any, wrote the row. */
  reply: string | null;
}

const STORED_REPLY = `id, client_secret,
  CASE WHEN reply_version = ${REPLY_VERSION} AND reply_ms = updated_ms THEN reply END AS reply`;

/** Returns the reply that shows a session of an account; undefined when there is none. */
export async function findSessionReply(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<ReplyText | undefined> {
  const stored = await queries.get<StoredReply>(
    `SELECT ${STORED_REPLY} FROM payment_sessions WHERE id = ? AND account_id = ?`,
    id,
    accountId,
  );
  return stored && new ReplyText(await textOf(queries, stored));
}

/** Returns the reply that shows a page of sessions. @throws Refusal `unknown_token`. */
export async function readSessionPage(
  queries: Queries,
  source: PageSource,
  query: PageQuery,
): Promise<ReplyText> {
  const { rows, paginationToken } = await readPage<StoredReply>(queries, source, query, STORED_REPLY);
  const items: string[] = [];
  for (const row of rows) items.push(await textOf(queries, row));
  return new ReplyText(`{"items":[${items.join(',')}],"paginationToken":${JSON.stringify(paginationToken)}}`);
}

async function textOf(queries: Queries, { id, client_secret: secret, reply }: StoredReply): Promise<string> {
  if (reply !== null) return withSecret(reply, secret);
  const row = await queries.get<PaymentSessionRow>(`SELECT * FROM payment_sessions WHERE id = ?`, id);
  return serialise(toPaymentSession(row!));
}

function withSecret(reply: string, secret: string): string {
  return `${reply.slice(0, -1)},"clientSecret":${JSON.stringify(secret)}}`;
}
