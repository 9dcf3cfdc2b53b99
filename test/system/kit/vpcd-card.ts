import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { ChipCard, ChipSession } from '../../../simulator/cards/chip-card.ts';
import { waitFor } from './wait-for.ts';

// One byte from the reader (vpcd of the vsmartcard project).
const CONTROL = { off: 0, on: 1, reset: 2, atr: 4 } as const;
/** What the reader of a contactless card without historical bytes makes up (PC/SC part 3 §3.1.3.2.3). */
const CONTACTLESS_ATR = fromHex('3B80800101');
/** Pseudo command for the UID, which a contactless reader answers itself. */
const ASK_UID = 'FFCA000000';

/** A simulated card at a virtual reader of vsmartcard-vpcd. */
export interface VpcdCard {
  remove(): void;
}

/**
 * Puts a card to a virtual reader, as the client of vpcd: it listens, and the card connects to it, again
 * when vpcd has closed the connection, until it is removed.
 */
export async function insertVpcdCard(
  port: number,
  card: ChipCard,
  technology: CardTechnology,
): Promise<VpcdCard> {
  let removed = false;
  let socket: Socket;
  const insert = async () => {
    socket = await waitFor('the virtual reader listens', () => connectTo(port));
    serve(socket, card, technology, remove);
    socket.once('close', () => {
      if (!removed) insert().catch(() => {});
    });
    if (removed) socket.destroy();
  };
  const remove = () => {
    removed = true;
    socket.destroy();
  };
  await insert();
  return { remove };
}

/** Answers what the reader sends. A card that no longer responds leaves it. */
function serve(socket: Socket, card: ChipCard, technology: CardTechnology, leave: () => void): void {
  let session: ChipSession | undefined;
  const reply = (data: Uint8Array) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    socket.write(Buffer.concat([length, data]));
  };
  const receive = async (message: Uint8Array) => {
    const [control] = message;
    if (message.length > 1) {
      const asksUid = technology === 'Contactless' && toHex(message) === ASK_UID;
      const answer = asksUid ? Uint8Array.of(...card.uid, 0x90, 0x00) : await session?.transceive(message);
      if (answer) reply(answer);
      else leave();
    } else if (control === CONTROL.atr) reply(technology === 'Contact' ? card.atr : CONTACTLESS_ATR);
    else session = control === CONTROL.off ? undefined : card.powerOn(technology);
  };
  let received = Buffer.alloc(0);
  let busy = Promise.resolve();
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const message = Uint8Array.from(received.subarray(2, 2 + received.readUInt16BE()));
      received = received.subarray(2 + message.length);
      busy = busy.then(() => receive(message));
    }
  });
  socket.on('error', () => {});
}

function connectTo(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

/** Returns a port that is free together with the next one: the package gives each of its two readers one. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const first = await listenOn(0);
    if (!first) continue;
    const { port } = first.address() as AddressInfo;
    const second = await listenOn(port + 1);
    await Promise.all(
      [first, second].map((server) => new Promise((done) => (server ? server.close(done) : done(0)))),
    );
    if (second) return port;
  }
}

function listenOn(port: number) {
  return new Promise<ReturnType<typeof createServer> | undefined>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '0.0.0.0', () => resolve(server));
  });
}
