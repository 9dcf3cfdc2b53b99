import { findFile } from '../files/file.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { readPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import type { DisputeFact } from './dispute.machine.ts';
import {
  disputeList,
  evidenceOf,
  findAnyDispute,
  findDispute,
  saveEvidence,
  showDispute,
  type DisputeRow,
} from './dispute.records.ts';
import { Dispute, DisputeQuery, Evidence, EvidenceRemoval } from './dispute.schema.ts';
import { moveDispute } from './disputes.ts';
import { isEmpty, refuseUnlessOpen, withEvidence, withoutEvidence } from './evidence.rules.ts';

export function disputeRoutes(services: Services): Route[] {
  const { clock, store } = services;
  const common = { tag: 'Dispute', section: 'Spec §4.9', accountHeader: true };
  const find = ({ caller, params }: { caller: Caller; params: Record<string, string> }) =>
    findDispute(store, caller, params['disputeId']!);

  /** Does something with a dispute as it stands now. */
  const within = (found: DisputeRow, run: (tx: Transaction, row: DisputeRow) => Promise<DisputeRow>) =>
    store.transaction(async (tx) => showDispute(await run(tx, (await findAnyDispute(tx, found.id))!)));

  const move = async (tx: Transaction, row: DisputeRow, fact: DisputeFact) => {
    refuseUnlessOpen(row);
    const moved = await moveDispute(tx, services, row, fact);
    if (!moved) throw new Refusal('dispute_state', { status: row.status });
    return moved;
  };

  return [
    route({
      ...common,
      operation: 'GET /disputes',
      summary: 'List disputes; without the Account header also those of sub accounts',
      query: DisputeQuery,
      reply: Page(Dispute),
      refusals: ['unknown_token', 'window_backwards'],
      async handle({ caller, query }) {
        const page = await readPage<DisputeRow>(store, disputeList(caller, query), query);
        return { items: page.rows.map(showDispute), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /disputes/{disputeId}',
      summary: 'Fetch a dispute',
      reply: Dispute,
      find,
      handle: async ({ found }) => showDispute(found),
    }),
    route({
      ...common,
      operation: 'POST /disputes/{disputeId}/accept',
      summary: 'Accept a dispute: the money is gone for good',
      reply: Dispute,
      refusals: ['dispute_state'],
      find,
      handle: ({ found }) => within(found, (tx, row) => move(tx, row, { type: 'dispute.accepted' })),
    }),
    route({
      ...common,
      operation: 'PATCH /disputes/{disputeId}/evidence',
      summary: 'Add or replace evidence; what is not named stays',
      body: Evidence,
      reply: Dispute,
      refusals: ['dispute_state', 'evidence_category'],
      find,
      handle: ({ caller, found, body }) =>
        within(found, async (tx, row) => {
          await refuseFiles(tx, caller, row, body);
          refuseUnlessOpen(row);
          return saveEvidence(tx, row.id, withEvidence(evidenceOf(row), body), clock.nowMs());
        }),
    }),
    route({
      ...common,
      operation: 'DELETE /disputes/{disputeId}/evidence',
      summary: 'Take evidence away, by the names of its members',
      body: EvidenceRemoval,
      reply: Dispute,
      refusals: ['dispute_state'],
      find,
      handle: ({ found, body }) =>
        within(found, (tx, row) => {
          refuseUnlessOpen(row);
          return saveEvidence(tx, row.id, withoutEvidence(evidenceOf(row), body), clock.nowMs());
        }),
    }),
    route({
      ...common,
      operation: 'POST /disputes/{disputeId}/challenge',
      summary: 'Submit the evidence; none can be added or taken away afterwards',
      reply: Dispute,
      refusals: ['dispute_state', 'dispute_without_evidence'],
      find,
      handle: ({ found }) =>
        within(found, (tx, row) => {
          refuseUnlessOpen(row);
          if (isEmpty(evidenceOf(row))) throw new Refusal('dispute_without_evidence');
          return move(tx, row, { type: 'dispute.challenged' });
        }),
    }),
  ];
}

/** Files are those of the account that was paid, of its platform, or of whoever calls. */
async function refuseFiles(
  queries: Queries,
  { accountId }: Caller,
  row: DisputeRow,
  { files = {} }: Evidence,
): Promise<void> {
  const owners = accountId === row.platform_id ? [row.platform_id, row.account_id] : [accountId];
  for (const [field, named] of Object.entries(files)) {
    if (!named) continue;
    let file: Awaited<ReturnType<typeof findFile>>;
    for (const owner of owners) file ??= await findFile(queries, owner, named.id);
    if (!file) throw new Refusal('not_found', { what: `file: files.${field}` });
    if (file.category !== 'Evidence') throw new Refusal('evidence_category', { field });
  }
}
