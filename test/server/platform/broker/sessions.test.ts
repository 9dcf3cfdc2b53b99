import { expect, test } from 'vitest';
import {
  createSessions,
  type ConnectedClient,
  type Session,
} from '../../../../server/platform/broker/sessions.ts';

const TERMINAL = 'term_1';

function openSessions() {
  const sessions = createSessions<ConnectedClient>();
  const sessionOf = (username: string): Session => ({
    username,
    principal: { kind: 'terminal', terminalId: username },
    filters: new Set(),
    denials: 0,
    revocation: sessions.latestRevocation(username),
  });
  /** Connects after credentials were checked; returns whether it was closed. */
  const connect = (session: Session) => {
    let closed = false;
    const client: ConnectedClient = { id: session.username, close: () => void (closed = true) };
    sessions.admit(client, session);
    sessions.connected(client);
    return () => closed;
  };
  const revokeOthers = () => {
    for (let index = 0; index < 20_000; index += 1) sessions.remove(`other_${index}`);
  };
  return { sessions, sessionOf, connect, revokeOthers };
}

test('sessions: a connection is closed when its credentials were revoked while it was established', () => {
  const { sessions, sessionOf, connect } = openSessions();
  const early = sessionOf(TERMINAL);
  sessions.revoke(TERMINAL);
  expect(connect(early)()).toBe(true);
  const isClosed = connect(sessionOf(TERMINAL));
  expect(isClosed()).toBe(false);
  sessions.revoke(TERMINAL);
  expect(isClosed()).toBe(true);
});

test('sessions: the revocations of the latest 20,000 users are kept', () => {
  const { sessions, revokeOthers } = openSessions();
  sessions.revoke(TERMINAL);
  expect(sessions.latestRevocation(TERMINAL)).toBe(1);
  revokeOthers();
  expect(sessions.latestRevocation(TERMINAL)).toBe(0);
  expect(sessions.latestRevocation('other_0')).toBe(2);
});

test('sessions: a removed terminal is known as removed, also after its earlier revocation was forgotten', () => {
  const { sessions, sessionOf, revokeOthers } = openSessions();
  sessions.revoke(TERMINAL);
  const session = sessionOf(TERMINAL);
  revokeOthers();
  expect(sessions.isRemoved(session)).toBe(false);
  sessions.remove(TERMINAL);
  expect(sessions.isRemoved(session)).toBe(true);
});
