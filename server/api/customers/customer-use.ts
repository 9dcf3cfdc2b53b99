import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** Port to the areas that use customers. */
interface CustomerUse {
  /**
   * Ends all use of a customer before it is deleted.
   * @throws Refusal `customer_subscribed` when a subscription still bills the customer (docs/choices.md, Customers).
   */
  end(tx: Transaction, services: Services, customerId: string): Promise<void>;
}

/** What customers need: the services of the platform, and the port. */
export interface CustomerServices extends Services {
  customerUse: CustomerUse;
}
