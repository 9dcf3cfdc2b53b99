import type { Route } from '../../platform/http/route.ts';
import { balanceTransactionRoutes } from './balance-transaction.resource.ts';
import { balanceRoutes } from './balance.resource.ts';
import { conversionRoutes } from './conversion.resource.ts';
import { platformFeeRoutes } from './platform-fee.resource.ts';
import { transferRoutes } from './transfer.resource.ts';

/** Transfers, balances, conversions and fees, in the specification's order (Spec §4.7). */
export const ledgerRoutes: readonly Route[] = [
  ...transferRoutes,
  ...balanceRoutes,
  ...balanceTransactionRoutes,
  ...conversionRoutes,
  ...platformFeeRoutes,
];
