import type { FinishedRequest } from '../../../../server/platform/finished-request.ts';

/** Returns a request that was answered, with these members in place of usual ones. */
export function finishedRequest(members: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    method: 'GET',
    url: '/v1/customers',
    status: 200,
    receivedMs: 0,
    createdMs: 0,
    elapsedMs: 1.5,
    keyEnd: 'last',
    accountId: null,
    requestId: null,
    operation: 'GET /customers',
    tag: 'Customer',
    refusal: null,
    headers: {},
    answerHeaders: {},
    body: undefined,
    answer: '{}',
    idempotencyKey: null,
    hasCredentials: false,
    ...members,
  };
}
