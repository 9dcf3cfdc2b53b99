import { disputeStep, type DisputeEvent } from '../../api/disputes/dispute.machine.ts';
import { evidenceOf, type DisputeRow } from '../../api/disputes/dispute.records.ts';
import { Evidence } from '../../api/disputes/dispute.schema.ts';
import { isEmpty } from '../../api/disputes/evidence.rules.ts';
import { fileList, type FileRow } from '../../api/files/file.records.ts';
import { readPage } from '../../platform/http/paging.ts';
import { OUTCOME_EVENTS } from '../dispute-control.resource.ts';
import { choiceField, objectAction, textField, type ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';

const FILES_MAX = 50;

const OUTCOMES = [
  { status: 'Won', name: 'win', label: 'Decide as won' },
  { status: 'Lost', name: 'lose', label: 'Decide as lost' },
  { status: 'Cancelled', name: 'withdraw', label: 'Withdraw' },
] as const;

/** Returns what a dispute allows: the responses of the account, and how the card scheme or the cardholder ends it. */
export async function disputeActions(context: ActionContext, row: DisputeRow): Promise<ObjectAction[]> {
  const accountId = row.account_id;
  const allows = (type: DisputeEvent['type']) => disputeStep(row.status, { type }) !== undefined;
  const response = { params: { disputeId: row.id }, accountId };
  const actions: ObjectAction[] = [];
  if (allows('dispute.challenged')) {
    const challenge = objectAction({
      ...response,
      operation: 'POST /disputes/{disputeId}/challenge',
      name: 'challenge',
      label: 'Challenge',
    });
    // A dispute is challenged with its evidence.
    actions.push(...(await evidenceActions(context, row)), ...(isEmpty(evidenceOf(row)) ? [] : [challenge]));
  }
  if (allows('dispute.accepted')) {
    const accept = { name: 'accept', label: 'Accept' } as const;
    actions.push(objectAction({ ...response, ...accept, operation: 'POST /disputes/{disputeId}/accept' }));
  }
  for (const { status, ...named } of OUTCOMES) {
    if (!allows(OUTCOME_EVENTS[status])) continue;
    const operation = 'POST /sandbox/disputes/{id}/outcome';
    actions.push(objectAction({ ...named, operation, params: { id: row.id }, accountId, body: { status } }));
  }
  return actions;
}

/** Returns what adds evidence: a text, and one of the latest files that the account uploaded for it. */
async function evidenceActions({ services }: ActionContext, row: DisputeRow): Promise<ObjectAction[]> {
  const { id, account_id: accountId } = row;
  const addition = {
    operation: 'PATCH /disputes/{disputeId}/evidence',
    params: { disputeId: id },
    accountId,
  } as const;
  const files = await readPage<FileRow>(services.store, fileList(accountId, 'Evidence'), {
    limit: FILES_MAX,
  });
  const text = objectAction({
    ...addition,
    name: 'add-evidence',
    label: 'Add evidence',
    fields: [textField(Evidence, 'text.uncategorised', 'Text', { required: true })],
  });
  if (files.rows.length === 0) return [text];
  const file = objectAction({
    ...addition,
    name: 'add-evidence-file',
    label: 'Add a file as evidence',
    fields: [
      {
        ...choiceField(
          'files.uncategorised.id',
          'Uploaded file',
          files.rows.map((each) => each.id),
        ),
        optionLabels: files.rows.map((each) => each.name),
      },
    ],
  });
  return [text, file];
}
