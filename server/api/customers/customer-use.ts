import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** What other areas still do with a customer. */
interface CustomerUse {
  /**
   * Ends all use of a customer who is about to be deleted.
   * @throws Refusal `customer_subscribed` when a subscription still bills the customer (docs/choices.md, Customers).
   */
  end(tx: Transaction, services: Services, customerId: string): Promise<void>;
}

declare module '../../platform/services.ts' {
  interface Services {
    customerUse: CustomerUse;
  }
}
