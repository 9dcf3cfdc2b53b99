import type { RequestStep, Step, TriggerPath } from './trigger-path.ts';

/** Creates a customer with an email address that no other has. */
export const CUSTOMER: RequestStep = {
  name: 'customer',
  request: 'POST /v1/customers',
  body: { email: 'customer-{unique}@example.com', firstName: 'Sam', lastName: 'Reid' },
};

const path = (...steps: Step[]): TriggerPath => ({ main: 'customer', steps: [CUSTOMER, ...steps] });

/** How each event of a customer comes about. */
export const CUSTOMER_PATHS = {
  'Customer.created': path(),
  'Customer.updated': path({
    name: 'update',
    request: 'PATCH /v1/customers/{customer.id}',
    body: { firstName: 'Alex' },
  }),
  'Customer.deleted': path({ name: 'deletion', request: 'DELETE /v1/customers/{customer.id}' }),
} as const satisfies Record<string, TriggerPath>;
