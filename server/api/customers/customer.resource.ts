import { Id, Type } from '../../../protocol/schema.ts';
import { showPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import { routeFor, type FindContext, type Route } from '../../platform/http/route.ts';
import { keepCallerAccount } from '../accounts/account.records.ts';
import { addCustomer, raiseCustomerEvent, type CustomerServices } from './customer-service.ts';
import {
  CUSTOMER_GUARDS,
  customerList,
  customers,
  findCustomerByEmail,
  lockCustomer,
} from './customer.records.ts';
import { Customer, CustomerCreate, CustomerQuery, CustomerUpdate } from './customer.schema.ts';
import {
  deletePaymentMethodsOf,
  storedMethodsOf,
  paymentMethods,
  toStoredPaymentMethod,
} from './payment-method.records.ts';
import { StoredPaymentMethod } from './payment-method.schema.ts';

const route = routeFor<CustomerServices>();

const common = { tag: 'Customer', section: 'Spec §4.8', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindContext<'customerId'>) =>
  customers.find(store, caller.accountId, params.customerId);

const createCustomerRoute = route({
  ...common,
  operation: 'POST /customers',
  summary: 'Create a customer',
  body: CustomerCreate,
  reply: Customer,
  refusals: ['customer_email_used'],
  async handle({ services, caller: { accountId }, body }) {
    const row = await services.store.transaction(async (tx) => {
      await keepCallerAccount(tx, accountId);
      return addCustomer(tx, services, { accountId, ...body });
    }, CUSTOMER_GUARDS);
    if (!row) throw new Refusal('customer_email_used');
    return customers.show(row);
  },
});

const listCustomersRoute = route({
  ...common,
  operation: 'GET /customers',
  summary: 'List customers, or find one by email address',
  query: CustomerQuery,
  ignoredInQuery: ({ email, ...others }) => (email === undefined || email === '' ? [] : Object.keys(others)),
  reply: Page(Customer),
  refusals: ['unknown_token', 'window_backwards'],
  async handle({ services: { store }, caller: { accountId }, query }) {
    if (query.email !== undefined) {
      const row = await findCustomerByEmail(store, accountId, query.email);
      return { items: row ? [customers.show(row)] : [], paginationToken: null };
    }
    return showPage(store, customerList(accountId, query), query, customers.show);
  },
});

const getCustomerRoute = route({
  ...common,
  operation: 'GET /customers/{customerId}',
  summary: 'Retrieve a customer',
  reply: Customer,
  find,
  handle: async ({ found }) => customers.show(found),
});

const updateCustomerRoute = route({
  ...common,
  operation: 'PATCH /customers/{customerId}',
  summary: 'Update the details or the default payment method of a customer',
  body: CustomerUpdate,
  reply: Customer,
  find,
  handle: ({ services, found, body }) =>
    services.store.transaction(async (tx) => {
      await lockCustomer(tx, found.account_id, found.id);
      if (body.defaultPaymentMethod) {
        const method = await paymentMethods.find(tx, found.account_id, body.defaultPaymentMethod);
        if (method?.customer_id !== found.id || method.stored === 0) {
          throw new Refusal('not_found', { what: 'stored payment method of this customer' });
        }
      }
      const row = await customers.update(tx, found.id, body, services.clock.nowMs());
      if (!row) throw new Refusal('not_found', { what: 'customer' });
      raiseCustomerEvent(tx, services, 'Customer.updated', row);
      return customers.show(row);
    }, CUSTOMER_GUARDS),
});

const deleteCustomerRoute = route({
  ...common,
  operation: 'DELETE /customers/{customerId}',
  summary: 'Delete a customer with all payment methods. The customer must not have a subscription.',
  reply: Type.Object({ id: Id('customer') }),
  refusals: ['customer_subscribed'],
  find,
  handle: ({ services, found }) =>
    services.store.transaction(
      async (tx) => {
        await lockCustomer(tx, found.account_id, found.id);
        await services.customerUse.end(tx, services, found.id);
        await deletePaymentMethodsOf(tx, found.id, services.clock.nowMs());
        const deleted = await customers.delete(tx, found.id, services.clock.nowMs());
        if (!deleted) throw new Refusal('not_found', { what: 'customer' });
        raiseCustomerEvent(tx, services, 'Customer.deleted', found);
        return { id: found.id };
      },
      { guardedBy: [...CUSTOMER_GUARDS.guardedBy, 'subscriptionBilling', 'jobClaims'] },
    ),
});

const listPaymentMethodsRoute = listRoute({
  ...common,
  operation: 'GET /customers/{customerId}/payment-methods',
  summary: 'List the stored payment methods of a customer',
  item: StoredPaymentMethod,
  find,
  list: ({ found }) => storedMethodsOf(found.id),
  show: toStoredPaymentMethod,
});

export const customerRoutes: readonly Route[] = [
  createCustomerRoute,
  listCustomersRoute,
  getCustomerRoute,
  updateCustomerRoute,
  deleteCustomerRoute,
  listPaymentMethodsRoute,
];
