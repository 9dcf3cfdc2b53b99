import { Type } from '../../../protocol/schema.ts';
import { readPage } from '../../platform/http/paging.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import type { PageQuery } from '../../platform/http/paging.schema.ts';
import { ReplyText } from '../../platform/http/pages/reply-text.ts';
import { serialiser } from '../../platform/http/serialiser.ts';
import type { Queries, Row } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { PaymentSession } from './payment-session.schema.ts';
import { toPaymentSession, toPaymentSessionWithoutSecret } from './payment-session-view.ts';

// Number of the form of the stored replies. Raise it when the reply of a row that stays as it is changes.
const REPLY_VERSION = 1;

const serialise = serialiser(PaymentSession);
const serialiseWithoutSecret = serialiser(Type.Omit(PaymentSession, ['clientSecret']));

/** Sets the reply of a row that is to be saved. The secret is not stored a second time. */
export function setReply(row: PaymentSessionRow): void {
  row.reply = serialiseWithoutSecret(toPaymentSessionWithoutSecret(row));
  row.reply_version = REPLY_VERSION;
  row.reply_ms = row.updated_ms;
}

/** Returns the reply that shows a row that was just saved: the text that is stored. */
export function replyOfSaved({ id, client_secret, reply }: PaymentSessionRow): ReplyText {
  return new ReplyText(storedText({ client_secret, reply })!, id);
}

interface StoredReply extends Row {
  client_secret: string;
  /** Null when another version of this program, with replies of another form or without any, wrote the row. */
  reply: string | null;
}

const STORED_REPLY = `client_secret,
  CASE WHEN reply_version = ${REPLY_VERSION} AND reply_ms = updated_ms THEN reply END AS reply`;

const FIND_REPLY = `SELECT ${STORED_REPLY} FROM payment_sessions WHERE id = ? AND account_id = ?`;

/** Returns the reply that shows a session of an account; undefined when there is none. */
export async function findSessionReply(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<ReplyText | undefined> {
  const stored = await queries.get<StoredReply>(FIND_REPLY, id, accountId);
  return stored && new ReplyText(storedText(stored) ?? (await newText(queries, id)), id);
}

/** Returns the reply that shows a page of sessions. @throws Refusal `unknown_token`. */
export async function readSessionPage(
  queries: Queries,
  source: PageSource,
  query: PageQuery,
): Promise<ReplyText> {
  const { rows, paginationToken } = await readPage<StoredReply & { id: string }>(
    queries,
    source,
    query,
    `id, ${STORED_REPLY}`,
  );
  const items: string[] = [];
  for (const row of rows) items.push(storedText(row) ?? (await newText(queries, row.id)));
  return new ReplyText(`{"items":[${items.join(',')}],"paginationToken":${JSON.stringify(paginationToken)}}`);
}

/** Returns the text of a stored reply; undefined when there is none of this form. */
function storedText({
  client_secret: secret,
  reply,
}: Pick<StoredReply, 'client_secret' | 'reply'>): string | undefined {
  // No character of a secret has to be escaped: it is made of ids.
  return reply === null ? undefined : `${reply.slice(0, -1)},"clientSecret":"${secret}"}`;
}

async function newText(queries: Queries, id: string): Promise<string> {
  const row = await queries.get<PaymentSessionRow>(`SELECT * FROM payment_sessions WHERE id = ?`, id);
  return serialise(toPaymentSession(row!));
}
