import { Refusal } from '../../platform/http/refusals.ts';

/** The accounts that a transfer debits and credits; one of them is always the platform. */
interface TransferSides {
  fromId: string;
  toId: string;
  subAccountId: string;
}

/** @throws Refusal `transfer_sides` unless exactly one side is named: the other is the platform's. */
export function parseTransferSides(
  { source, destination }: { source?: { accountId: string }; destination?: { accountId: string } },
  platformId: string,
): TransferSides {
  if (source && !destination) {
    return { fromId: source.accountId, toId: platformId, subAccountId: source.accountId };
  }
  if (destination && !source) {
    return { fromId: platformId, toId: destination.accountId, subAccountId: destination.accountId };
  }
  throw new Refusal('transfer_sides');
}
