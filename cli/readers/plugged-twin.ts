import { createServer, type Socket } from 'node:net';
import type { LineSettings, OpenPort } from '../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../protocol/clock.ts';
import type { CardTray, Twin, TwinModule, TwinParts } from '../../simulator/twins/twin.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { StruckMessage } from '../../protocol/line-faults.ts';
import { streamPort } from '../../simulator/twins/device-port.ts';
import { withMessageFaults } from '../../simulator/twins/wire-faults.ts';
import { listenOn } from '../../server/platform/listen.ts';

const TRY_AGAIN_MS = 250;

export interface PluggedTwinParts extends Omit<TwinParts, 'port'>, TwinModule {
  open: OpenPort;
  line: LineSettings;
}

/** A twin on a line. It is created again each time the line comes back after an unplug. */
export interface PluggedTwin {
  readonly tray: CardTray;
  /** The current device; undefined while unplugged. */
  readonly device: Twin | undefined;
  /** What a person can do at it, in a network also while nothing is connected. */
  readonly controls: Twin['controls'];
  close(): Promise<void>;
}

/** Opens the line and creates the twin on it. @throws Fault when the line cannot be opened the first time. */
export async function plugInTwin(parts: PluggedTwinParts): Promise<PluggedTwin> {
  const { open, line, createTwin, clock } = parts;
  let device: Twin | undefined;
  let closed = false;
  const plugIn = async (): Promise<void> => {
    const port = await open(line);
    device = createTwin({ ...parts, port });
    port.onClose(() => {
      device = undefined;
      if (!closed) again(clock);
    });
  };
  const again = (on: Clock) =>
    after(on, TRY_AGAIN_MS, () => {
      if (!closed) plugIn().catch(() => again(on));
    });
  await plugIn();
  return {
    tray: parts.tray,
    get device() {
      return device;
    },
    get controls() {
      return controlsAt(device, parts);
    },
    async close() {
      closed = true;
      await device?.close();
    },
  };
}

function controlsAt(twin: Twin | undefined, { controlsOf, tray }: PluggedTwinParts | TcpTwinParts) {
  return twin?.controls ?? controlsOf?.(tray) ?? {};
}

export interface TcpTwinParts extends Omit<PluggedTwinParts, 'open' | 'line'> {
  /** 0 for any free port. */
  port: number;
  /** Whether tills are served side by side; otherwise further ones wait. */
  manyConnections?: true | undefined;
  /** Returns what is to happen to the next message of the device. */
  fault?: (() => StruckMessage | undefined) | undefined;
}

/** A twin that listens on TCP. */
export interface TcpTwin extends PluggedTwin {
  /** Where it listens, `tcp://127.0.0.1:port`. */
  readonly address: string;
}

/**
 * Starts a twin that listens on the loopback address, as a network terminal does. It serves one connection at a time;
 * further ones wait. Messages have no transport framing.
 * @throws Fault `bad_setting` when the port cannot be opened.
 */
export async function startTcpTwin(parts: TcpTwinParts): Promise<TcpTwin> {
  const { createTwin, log, tray } = parts;
  let device: Twin | undefined;
  let address = '';
  let waiting: Socket[] = [];
  const served = new Set<Twin>();
  const serve = (socket: Socket) => {
    log.debug('a cash register connected to the twin');
    const ended = () => {
      served.delete(twin);
      device = undefined;
      const next = waiting.shift();
      if (next) serve(next);
    };
    const line = streamPort(address, socket, ended);
    const { clock, fault: take } = parts;
    const port = take ? withMessageFaults(line, { clock, take }) : line;
    const twin = createTwin({ ...parts, port });
    served.add(twin);
    device = twin;
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the twin broke'));
    if (!device || parts.manyConnections) return serve(socket);
    waiting.push(socket);
    // A waiting connection that was reset emits no further event.
    socket.once('close', () => (waiting = waiting.filter((other) => other !== socket)));
  });
  const listening = listenOn(server, { host: '127.0.0.1', port: parts.port });
  const { port } = await listening.catch((error: unknown) => {
    throw new Fault('bad_setting', `--tcp ${parts.port} cannot be opened: ${messageOf(error)}`);
  });
  address = `tcp://127.0.0.1:${port}`;
  return {
    address,
    tray,
    get device() {
      return device;
    },
    get controls() {
      return controlsAt(device, parts);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of waiting) socket.destroy();
      waiting = [];
      for (const twin of served) await twin.close();
      await closed;
    },
  };
}
