import { signal, type ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { WatchTarget } from '../view.ts';
import { createApi, type PageApi } from './link/api.ts';
import {
  connect,
  type Connection,
  type ConnectionState,
  type Socket,
  type SocketEvents,
} from './link/connection.ts';
import { randomKey } from './link/sent-once.ts';
import { createSession, keyPrompt, type Session } from './link/session.ts';
import { createPageState, type PageState } from './page-state.ts';
import { pageClock, setSandboxTime } from './time.ts';
import { pathInSandbox } from './link/sandbox-path.ts';

/** Everything that a view needs: the page's state, the API and the connection. */
export interface Dashboard {
  state: PageState;
  api: PageApi;
  session: Session;
  link: ReadonlySignal<ConnectionState>;
  connection: Connection;
  /** Returns a new idempotency key. */
  randomKey: () => string;
  /** Whether the page is a file, without a server to lead to. */
  isStatic: boolean;
}

/** Opens the page's connection to the server that it came from. */
export function openDashboard(): Dashboard {
  const session = createSession();
  const state = createPageState(setSandboxTime);
  const link = signal<ConnectionState>({ kind: 'connecting' });
  const connection = connect({
    clock: pageClock,
    token: session.token,
    open: openSocket,
    onTokenRejected: session.forget,
    onState: (now) => (link.value = now),
    onMessages: state.apply,
    initialMessages: () => [{ type: 'watch', target: state.watched.target.peek() }],
  });
  keyPrompt.subscribe((prompt) => {
    if (!prompt && link.peek().kind === 'disconnected') connection.retryNow();
  });
  return { state, api: createApi(session), session, link, connection, randomKey, isStatic: false };
}

const Context = createContext<Dashboard | undefined>(undefined);
export const DashboardProvider = Context.Provider;

export function useDashboard(): Dashboard {
  return useContext(Context)!;
}

/** Watches a target while the component is mounted. */
export function useWatch(target: WatchTarget | null): void {
  const { state, connection } = useDashboard();
  const { kind, id } = target ?? {};
  useEffect(() => {
    state.watched.watch(target);
    connection.send({ type: 'watch', target });
    return () => {
      // Preact may run this cleanup after the next view has started to watch.
      if (state.watched.unwatch(target)) connection.send({ type: 'watch', target: null });
    };
  }, [kind, id]);
}

/** Opens a WebSocket to the server that this page came from. */
function openSocket({ opened, text, closed }: SocketEvents): Socket {
  const socket = new WebSocket(
    location.origin.replace(/^http/, 'ws') + pathInSandbox('/dashboard/live', location.pathname),
  );
  socket.addEventListener('open', opened);
  socket.addEventListener('message', ({ data }) => text(String(data)));
  socket.addEventListener('close', ({ code }) => closed(code));
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close: () => socket.close(),
  };
}
