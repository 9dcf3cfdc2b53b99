import type { Transaction } from '../../platform/store/store.ts';
import {
  joinActiveWebhooks,
  JOINED_WEBHOOK,
  type JoinedWebhook,
  joinedWebhooksOf,
} from '../webhooks/webhook.records.ts';
import { parseSettings } from './account-settings.ts';
import type { Account, AccountRow } from './account.records.ts';

/** An account as a payment needs it, and the webhooks of its platform that receive its events. */
interface AccountReading extends Account {
  capabilities: AccountRow['capabilities'];
  /** Oldest first; active ones only. */
  webhooks: { webhookId: string; eventTypes: string[] }[];
}

type ReadRow = JoinedWebhook &
  Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings' | 'capabilities'>;

/** Reads an account, once in a transaction; undefined when there is none. */
export function readAccount(tx: Transaction, id: string): Promise<AccountReading | undefined> {
  return tx.once(`account ${id}`, async () => {
    const rows = await tx.all<ReadRow>(
      `SELECT a.id, a.platform_id, a.type, a.name, a.settings, a.capabilities, ${JOINED_WEBHOOK}
       FROM accounts a ${joinActiveWebhooks('COALESCE(a.platform_id, a.id)')}
       WHERE a.id = ? ORDER BY webhook.seq`,
      id,
    );
    const [account] = rows;
    if (!account) return undefined;
    const { platform_id: platformId, type, name, settings, capabilities } = account;
    return {
      id,
      platformId,
      type,
      name,
      settings: parseSettings(settings),
      capabilities,
      webhooks: joinedWebhooksOf(rows),
    };
  });
}
