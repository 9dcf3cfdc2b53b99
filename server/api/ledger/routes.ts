import type { Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { balanceTransactionRoutes } from './balance-transaction.resource.ts';
import { balanceRoutes } from './balance.resource.ts';
import { conversionRoutes } from './conversion.resource.ts';
import { platformFeeRoutes } from './platform-fee.resource.ts';
import { transferRoutes } from './transfer.resource.ts';

/** Transfers, balances, conversions and fees, in the specification's order (Spec §4.7). */
export function ledgerRoutes(services: Services): Route[] {
  return [
    ...transferRoutes(services),
    ...balanceRoutes(services),
    ...balanceTransactionRoutes(services),
    ...conversionRoutes(services),
    ...platformFeeRoutes(services),
  ];
}
