import { parseOutsideJson } from '../../../protocol/outside-json.ts';
import { HIDDEN, maskSecrets, maskSecretsInContent, maskSecretsInText } from '../mask-secrets.ts';
import { jsonText, type JsonText } from '../store/json-text.ts';
import type { FinishedRequest } from '../finished-request.ts';
import type { NewRequestRow } from './request.records.ts';

const OBJECTS_MAX = 100;

const OBJECT_ID =
  /\b(?!whs_)[a-z]{2,8}_(?:[0-7][0-9A-HJKMNP-TV-Z]{25}(?:_[0-7][0-9A-HJKMNP-TV-Z]{25})?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9A-Za-z])/g;

/** Returns the ids of objects in some texts, each once, in order; a hundred at most. */
export function objectIdsIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [id] of text.matchAll(OBJECT_ID)) {
      if (found.size === OBJECTS_MAX) break;
      found.add(id);
    }
  }
  return [...found];
}

// Enough for the longest list of the API with the longest texts of its objects.
const LIMITS = { nodes: 5_000, characters: 10_000 };

type Limits = typeof LIMITS & { known: readonly string[] };

/**
 * Returns the row of a request: without secrets and card numbers, with the ids of the objects in it.
 * @param known secrets that their form does not show
 */
export function maskedRequest(
  id: string,
  request: FinishedRequest,
  known: readonly string[] = [],
): NewRequestRow {
  const limits = { ...LIMITS, known };
  const { url, body, answer, hasCredentials } = request;
  const at = url.indexOf('?');
  const path = maskSecretsInText(at < 0 ? url : url.slice(0, at), limits);
  const query = at < 0 ? null : maskedQuery(url.slice(at + 1), known);
  const maskedBody = body === undefined ? null : maskedText(body, limits);
  const maskedAnswer =
    answer === undefined ? null : hasCredentials ? jsonText(HIDDEN) : maskedText(answer, limits);
  return {
    id,
    received_ms: request.receivedMs,
    created_ms: request.createdMs,
    elapsed_us: Math.round(request.elapsedMs * 1000),
    method: request.method,
    path,
    status: request.status,
    key_end: request.keyEnd,
    account_id: request.accountId,
    request_id: request.requestId,
    operation: request.operation,
    tag: request.tag,
    refusal: request.refusal,
    idempotency_key: request.idempotencyKey,
    object_ids: spaced(objectIdsIn([path, query ?? '', maskedBody ?? '', maskedAnswer ?? ''])),
    query,
    headers: maskedFields(request.headers, known),
    answer_headers: maskedFields(request.answerHeaders, known),
    body: maskedBody,
    answer: maskedAnswer,
  };
}

function maskedQuery(text: string, known: readonly string[]): JsonText<Record<string, unknown>> {
  return maskedFields(Object.fromEntries(new URLSearchParams(text)), known);
}

function maskedFields(
  fields: Record<string, string>,
  known: readonly string[],
): JsonText<Record<string, unknown>> {
  return jsonText(maskSecrets(fields, { known }) as Record<string, unknown>);
}

/**
 * Returns JSON text: of the masked value, or of the masked text where it is no JSON. In it U+0000, which PostgreSQL does
 * not store, is an escape.
 */
function maskedText(content: string | object, limits: Limits): JsonText<unknown> | null {
  if (typeof content === 'object') return jsonText(maskSecrets(content, limits));
  if (content === '') return null;
  let value: unknown;
  try {
    value = parseOutsideJson(content);
  } catch {
    return jsonText(maskSecretsInContent(content, limits));
  }
  return jsonText(maskSecrets(value, limits));
}

function spaced(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` ${ids.join(' ')} `;
}
