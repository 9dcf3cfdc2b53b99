import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { transfers } from './transfer.records.ts';
import { createTransfer, parseTransferSides } from './transfers.ts';
import { Transfer, TransferCreate } from './transfer.schema.ts';

const common = { tag: 'Transfer', section: 'Spec §4.7' };

const createTransferRoute = route({
  ...common,
  operation: 'POST /transfers',
  summary: 'Transfer money between the platform and a sub account',
  body: TransferCreate,
  reply: Transfer,
  refusals: ['transfer_sides'],
  async handle({ services, caller: { platformId }, body }) {
    const sides = parseTransferSides(body, platformId);
    const order = {
      ...body,
      ...sides,
      accountId: platformId,
      source: body.source?.accountId,
      destination: body.destination?.accountId,
    };
    return transfers.show(
      await services.store.transaction((tx) => createTransfer(tx, services, order), {
        guardedBy: ['availableBalance', 'chargebackPayer'],
      }),
    );
  },
});

const listTransfersRoute = listRoute({
  ...common,
  operation: 'GET /transfers',
  summary: 'List transfers',
  item: Transfer,
  list: ({ caller }) => transfers.listOf(caller.platformId),
  show: transfers.show,
});

const getTransferRoute = route({
  ...common,
  operation: 'GET /transfers/{id}',
  summary: 'Retrieve a transfer',
  reply: Transfer,
  find: ({ services: { store }, caller, params }) => transfers.find(store, caller.platformId, params.id),
  handle: async ({ found }) => transfers.show(found),
});

export const transferRoutes: readonly Route[] = [createTransferRoute, listTransfersRoute, getTransferRoute];
