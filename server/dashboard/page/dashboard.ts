import { signal, type ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { Subject } from '../view.ts';
import { createApi, type Api } from './link/api.ts';
import { connect, type Connection, type LinkState } from './link/connection.ts';
import { createSession, keyWanted, type Session } from './link/session.ts';
import { openSocket } from './link/web-socket.ts';
import { createPageState, type PageState } from './page-state.ts';
import { pageClock, setSandboxTime } from './time.ts';

/** Everything that a view needs: the page's state, the API and the connection. */
export interface Dashboard {
  state: PageState;
  api: Api;
  session: Session;
  link: ReadonlySignal<LinkState>;
  connection: Connection;
}

/** Opens the page's connection to the server that it came from. */
export function openDashboard(): Dashboard {
  const session = createSession();
  const state = createPageState(setSandboxTime);
  const link = signal<LinkState>({ kind: 'connecting' });
  const connection = connect({
    clock: pageClock,
    token: session.token,
    open: openSocket,
    onRefused: session.forget,
    onState: (now) => (link.value = now),
    onMessages: state.apply,
    first: () => [{ type: 'watch', subject: state.watched.subject.peek() }],
  });
  keyWanted.subscribe((wanted) => {
    if (!wanted && link.peek().kind === 'away') connection.retryNow();
  });
  return { state, api: createApi(session), session, link, connection };
}

const Context = createContext<Dashboard | undefined>(undefined);
export const DashboardProvider = Context.Provider;

export function useDashboard(): Dashboard {
  return useContext(Context)!;
}

/** Watches a subject while the component is mounted. */
export function useWatch(subject: Subject | null): void {
  const { state, connection } = useDashboard();
  const { kind, id } = subject ?? {};
  useEffect(() => {
    state.watched.turnTo(subject);
    connection.send({ type: 'watch', subject });
    return () => {
      // Preact may clean up a view that is gone after the next one has begun to watch.
      if (state.watched.leave(subject)) connection.send({ type: 'watch', subject: null });
    };
  }, [kind, id]);
}
