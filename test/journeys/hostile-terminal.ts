import type { LinkCredentials } from '../../protocol/link.ts';
import { encode, type BodyOf, type DeclaredMessage } from '../../protocol/message.ts';
import { connectedPeer } from '../contract/peer.ts';
import type { World } from '../../testing/world/world.ts';

/** A terminal with credentials of its own whose firmware publishes what a test likes. */
export interface HostileTerminal {
  id: string;
  /** Publishes a message, and waits until the server has handled it. */
  publish<M extends DeclaredMessage>(message: M, body: BodyOf<M>): Promise<void>;
}

export async function hostileTerminal(world: World): Promise<HostileTerminal> {
  const address = { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' };
  const location = await world.api.post('/v1/in-person/locations', { name: 'Market', address });
  const registration = { serialNumber: '1853012345', locationId: location.body.id };
  const { id } = (await world.api.post('/v1/in-person/terminals', registration)).body;
  // As a fleet pairs: an external broker then knows the credentials.
  const paired = await world.forTerminals.api.request('POST', `/pairing/terminals/${id}`, {});
  const credentials = paired.body as LinkCredentials;
  const { link } = await connectedPeer(world.forTerminals.connect, { credentials });
  return {
    id,
    async publish(message, body) {
      await link.publish(encode(message, id, body));
      await world.settled();
    },
  };
}
