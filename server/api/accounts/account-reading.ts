import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { Account, AccountRow } from './account.records.ts';

/** An account as a payment needs it, and the webhooks of its platform that receive its events. */
interface AccountReading extends Account {
  capabilities: AccountRow['capabilities'];
  /** Oldest first; active ones only. */
  webhooks: { webhookId: string; eventTypes: string[] }[];
}

type ReadRow = Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings' | 'capabilities'> & {
  webhook_id: string | null;
  event_types: JsonText<string[]> | null;
};

/** Reads an account, once in a transaction; undefined when there is none. */
export function readAccount(tx: Transaction, id: string): Promise<AccountReading | undefined> {
  return tx.once(`account ${id}`, async () => {
    const rows = await tx.all<ReadRow>(
      `SELECT a.id, a.platform_id, a.type, a.name, a.settings, a.capabilities,
         w.id AS webhook_id, w.event_types
       FROM accounts a LEFT JOIN webhooks w ON w.account_id = COALESCE(a.platform_id, a.id)
         AND w.deleted = 0 AND w.active = 1
       WHERE a.id = ? ORDER BY w.seq`,
      id,
    );
    const [account] = rows;
    if (!account) return undefined;
    const { platform_id: platformId, type, name, settings, capabilities } = account;
    const webhooks = rows.flatMap(({ webhook_id: webhookId, event_types: types }) =>
      webhookId === null || types === null ? [] : [{ webhookId, eventTypes: parseJson(types) }],
    );
    return { id, platformId, type, name, settings: parseJson(settings), capabilities, webhooks };
  });
}
