import { Refusal } from '../../platform/http/refusals.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { listCreatedWithin } from '../../platform/http/time-window.ts';
import { disputes, evidenceOf, toDispute, visibleTo } from './dispute.records.ts';
import { Dispute, DisputeQuery, Evidence, EvidenceRemoval } from './dispute.schema.ts';
import { changeDispute, moveOpenDispute, refuseEvidenceFiles } from './dispute-service.ts';
import { isEmpty, refuseUnlessOpen, mergeEvidence, removeEvidence } from './evidence.rules.ts';

const common = { tag: 'Dispute', section: 'Spec §4.9', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindContext<'disputeId'>) =>
  disputes.findWithin(store, visibleTo(caller), params.disputeId);

const listDisputesRoute = listRoute({
  ...common,
  operation: 'GET /disputes',
  summary: 'List disputes, without the Account header also those of sub accounts',
  query: DisputeQuery,
  item: Dispute,
  refusals: ['window_backwards'],
  list: ({ caller, query }) => listCreatedWithin(disputes.listWithin(visibleTo(caller)), query),
  show: toDispute,
});

const getDisputeRoute = route({
  ...common,
  operation: 'GET /disputes/{disputeId}',
  summary: 'Retrieve a dispute',
  reply: Dispute,
  find,
  handle: async ({ found }) => toDispute(found),
});

const acceptDisputeRoute = route({
  ...common,
  operation: 'POST /disputes/{disputeId}/accept',
  access: 'sandboxDashboard',
  summary: 'Accept a dispute, which cannot be undone',
  reply: Dispute,
  refusals: ['dispute_state'],
  find,
  handle: ({ services, found }) =>
    changeDispute(services, found, (tx, row) =>
      moveOpenDispute(tx, services, row, { type: 'dispute.accepted' }),
    ),
});

const updateEvidenceRoute = route({
  ...common,
  operation: 'PATCH /disputes/{disputeId}/evidence',
  access: 'sandboxDashboard',
  summary: 'Add or replace evidence',
  body: Evidence,
  reply: Dispute,
  refusals: ['dispute_state', 'evidence_category'],
  find,
  handle: ({ services, caller, found, body }) =>
    changeDispute(services, found, async (tx, row) => {
      await refuseEvidenceFiles(tx, caller, row, body);
      refuseUnlessOpen(row);
      const evidence = mergeEvidence(evidenceOf(row), body);
      return (await disputes.update(tx, row.id, { evidence }, services.clock.nowMs()))!;
    }),
});

const deleteEvidenceRoute = route({
  ...common,
  operation: 'DELETE /disputes/{disputeId}/evidence',
  summary: 'Remove evidence by name',
  body: EvidenceRemoval,
  reply: Dispute,
  refusals: ['dispute_state'],
  find,
  handle: ({ services, found, body }) =>
    changeDispute(services, found, async (tx, row) => {
      refuseUnlessOpen(row);
      const evidence = removeEvidence(evidenceOf(row), body);
      return (await disputes.update(tx, row.id, { evidence }, services.clock.nowMs()))!;
    }),
});

const challengeDisputeRoute = route({
  ...common,
  operation: 'POST /disputes/{disputeId}/challenge',
  access: 'sandboxDashboard',
  summary: 'Challenge a dispute with its evidence, which cannot change afterwards',
  reply: Dispute,
  refusals: ['dispute_state', 'dispute_without_evidence'],
  find,
  handle: ({ services, found }) =>
    changeDispute(services, found, (tx, row) => {
      refuseUnlessOpen(row);
      if (isEmpty(evidenceOf(row))) throw new Refusal('dispute_without_evidence');
      return moveOpenDispute(tx, services, row, { type: 'dispute.challenged' });
    }),
});

export const disputeRoutes: readonly Route[] = [
  listDisputesRoute,
  getDisputeRoute,
  acceptDisputeRoute,
  updateEvidenceRoute,
  deleteEvidenceRoute,
  challengeDisputeRoute,
];
