import { PassThrough } from 'node:stream';
import type { SocketEvents } from '../../../server/dashboard/page/link/connection.ts';
import { keyboardOf } from '../../../cli/process/keyboard.ts';
import type { CommandContext } from '../../../cli/command-line/command-context.ts';
import { watchFleet } from '../../../cli/watch/watch-fleet.ts';
import { UNAUTHORIZED } from '../../../server/dashboard/live-client.ts';
import type { TextSocket } from '../../../server/platform/http/sockets/text-socket.ts';
import { tokenOf } from '../../server/dashboard/open-page.ts';
import type { World } from '../../../testing/world/world.ts';
import { fakeTerminal, type FakeTerminal } from './fake-terminal.ts';

/** Runs `watch` on a world, on a screen or printing lines. */
interface WatchFixture {
  screen: FakeTerminal;
  readonly lines: string;
  readonly errors: string;
  type(keys: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Disconnects from the server until `restore`. */
  cut(): void;
  restore(): void;
  interrupt(): void;
  ended: Promise<void>;
  hasEnded(): boolean;
}

export async function createWatchFixture(
  world: World,
  { screen: hasScreen = true } = {},
): Promise<WatchFixture> {
  const screen = fakeTerminal(80, 24);
  const typed = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const interrupted = new AbortController();
  const resized = new Set<() => void>();
  const written = { out: '', err: '' };
  let isCut = false;
  let disconnect = () => {};
  let over = false;

  const context: CommandContext = {
    env: {},
    out: {
      write: (text) => (hasScreen ? screen.write(text) : void (written.out += text)),
      isTerminal: hasScreen,
      colours: hasScreen,
      ...(hasScreen && {
        display: {
          size: () => screen.size,
          onResize: (listener) => (resized.add(listener), () => resized.delete(listener)),
        },
      }),
    },
    err: { write: (text) => void (written.err += text), isTerminal: false, colours: false },
    keyboard: keyboardOf(typed as unknown as NodeJS.ReadStream, () => interrupted.abort()),
    startDetached: () => Promise.reject(new Error('no process is started')),
    keepRunning: () => () => {},
    openBrowser: async () => false,
    streams: { input: typed, output: new PassThrough() },
    fetch,
    importModule: () => Promise.reject(new Error('nothing is imported')),
    clock: world.clock,
    random: world.forTerminals.random,
    interrupted: interrupted.signal,
  };
  const ended = watchFleet(context, {
    url: 'http://shop.example',
    token: async () => tokenOf(world),
    open(events) {
      const line = connectTo(world, events);
      disconnect = line.hangUp;
      if (isCut) line.hangUp();
      return line.socket;
    },
  }).then(() => void (over = true));
  await world.advance({ ms: 500 });
  return {
    screen,
    get lines() {
      return written.out;
    },
    get errors() {
      return written.err;
    },
    async type(keys) {
      typed.write(keys);
      await world.advance({ ms: 500 });
    },
    async resize(columns, rows) {
      screen.size = { columns, rows };
      for (const listener of resized) listener();
      await world.advance({ ms: 500 });
    },
    cut() {
      isCut = true;
      disconnect();
    },
    restore: () => void (isCut = false),
    interrupt: () => interrupted.abort(),
    ended,
    hasEnded: () => over,
  };
}

/** A connection in memory to the dashboard of a server. */
function connectTo(world: World, events: SocketEvents) {
  const onText: ((text: string) => void)[] = [];
  const onClose: (() => void)[] = [];
  let isOpen = true;
  const close = (code: number) => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of onClose) listener();
    setImmediate(() => events.closed(code));
  };
  const server: TextSocket = {
    send: (text) => {
      if (isOpen) setImmediate(() => isOpen && events.text(text));
    },
    admit: () => true,
    bufferedBytes: 0,
    close: (code) => close(code === UNAUTHORIZED ? UNAUTHORIZED : 1000),
    onText: (listener) => void onText.push(listener),
    onClose: (listener) => void onClose.push(listener),
  };
  world.server.dashboard.live.accept(server);
  setImmediate(events.opened);
  const socket = {
    send: (text: string) => {
      if (isOpen) for (const listener of onText) listener(text);
    },
    close: () => close(1000),
  };
  return { socket, hangUp: () => close(1006) };
}
