import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import { smallServer, type SmallServer } from '../platform/http/small-server.ts';

const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };

/** A small server with routes to register terminals. */
interface SimulatedServer extends SmallServer {
  register(serialNumber: string, account?: string): Promise<string>;
}

export async function simulatedServer(routes: readonly Route[]): Promise<SimulatedServer> {
  const server = await smallServer([...locationRoutes, ...terminalRoutes, ...routes]);
  return {
    ...server,
    async register(serialNumber, account) {
      const headers = account ? { account } : {};
      const location = { name: 'Corner', address };
      const { body } = await server.call('POST /v1/in-person/locations', { body: location, headers });
      const terminal = { serialNumber, locationId: body.id as string };
      return (await server.call('POST /v1/in-person/terminals', { body: terminal, headers })).body
        .id as string;
    },
  };
}

/** Writes an action as if it had been taken, and makes it the terminal's latest. */
export async function insertActionRow(
  { services, platformId }: SmallServer,
  terminalId: string,
  values: { status?: string; phase?: string; receipt?: string; account?: string } = {},
): Promise<string> {
  const id = services.ids.make('action');
  const { status = 'InProgress', phase = 'awaitingCard', receipt = null, account = platformId } = values;
  await services.store.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO actions (id, account_id, terminal_id, session_id, type, status, phase, amount_minor, currency,
         receipt_source, merchant_copy, customer_copy, receipt, deadline_ms, created_ms)
       VALUES (?, ?, ?, ?, 'Payment', ?, ?, 1742, 'GBP', 'Terminal', 'NotRequired', 'NotRequired', ?, ?, ?)`,
      id,
      account,
      terminalId,
      services.ids.make('paymentSession'),
      status,
      phase,
      receipt,
      services.clock.nowMs() + 60_000,
      services.clock.nowMs(),
    );
    await tx.run('UPDATE terminals SET last_action_id = ? WHERE id = ?', id, terminalId);
  });
  return id;
}
