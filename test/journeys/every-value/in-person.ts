import type { Api } from '../../../testing/world/api.ts';
import { addReaderTerminal } from '../../kit/reader-terminal.ts';
import { openTill } from '../../../testing/world/till.ts';
import type { World } from '../../../testing/world/world.ts';
import { good } from '../one-of-each.ts';

/** Two of what a shop has on its counters, and of its sites; a receipt with a copy in every state. */
export async function everyCounter(world: World, api: Api): Promise<void> {
  const address = {
    lineOne: '1 High St',
    lineTwo: 'Yard',
    city: 'Leeds',
    country: 'GB',
    postalCode: 'LS1 1AA',
  };
  for (const name of ['North Hall', 'South Hall']) {
    const { id: locationId } = good(await api.post('/v1/in-person/locations', { name, address }));
    const serialNumber = `A920-${name.slice(0, 5)}`;
    good(await api.post('/v1/in-person/terminals', { serialNumber, locationId }));
    const domainName = `${name.slice(0, 5).toLowerCase()}.example`;
    good(await api.post('/v1/wallet-pay/web-domains', { domainName }));
  }
  good(await api.get('/v1/apple-pay/web-domains?limit=1'));
  const till = openTill(world, await world.addTerminal());
  await till.takes(1000, { receipts: 'PointOfSale' });
  await till.action();
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  await till.confirm({ customerCopy: { status: 'Failed' } });
  await till.action();
  await unpluggedReader(world);
}

/** An action whose reader is unplugged. */
async function unpluggedReader(world: World): Promise<void> {
  const till = await addReaderTerminal(world, { driver: 'pn532' });
  const { terminal } = till;
  await till.pay(1000);
  await world.until('the reader looks for a card', () => terminal.status.state === 'awaitingCard');
  await terminal.unplug();
  await world.advance({ seconds: 5 });
  await till.action();
  await terminal.close();
}
