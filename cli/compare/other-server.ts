import { Fault } from '../../protocol/failures.ts';
import { isObject } from '../../protocol/outside-json.ts';
import type { CarefulClient } from './careful-client.ts';

const SANDBOX_KEY = 'sk_sandbox_';
/** This machine, and private networks (RFC 1918). */
const NEAR = /^(localhost|\[::1\]|(127|10)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/;

/**
 * Returns the address of the other server without `/v1`.
 * @throws Fault `bad_setting` for one that has more than an address, or to which the key would travel in the clear
 */
export function otherAddress(to: string): string {
  const { protocol, hostname, username, password, search, hash, pathname, origin } = new URL(to);
  if (username + password + search + hash !== '')
    throw new Fault('bad_setting', '--to must be an address without credentials, query and fragment');
  if (protocol === 'http:' && !NEAR.test(hostname))
    throw new Fault(
      'bad_setting',
      '--to must begin with https:// unless the server is on this machine or in your network',
    );
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}

/** Returns the key of the other server. @throws Fault `bad_setting` when there is none, or it is not of a sandbox */
export function otherKey(key: string | undefined): string {
  if (key === undefined)
    throw new Fault('bad_setting', 'COMPARE_KEY is not set: it is a secret key of your sandbox at --to');
  if (key.startsWith(SANDBOX_KEY)) return key;
  throw new Fault(
    'bad_setting',
    `COMPARE_KEY is not the key of a sandbox, which begins with ${SANDBOX_KEY}: with any other, money would move`,
  );
}

/**
 * Asks the other server for a list that it has in any case, so that nothing is made where the address or the key is wrong.
 * @throws Fault `server_answer` when it does not reply as the API does
 */
export async function assertSpeaksApi({ send }: CarefulClient, key: string): Promise<void> {
  const path = '/customers?limit=1';
  const sent = await send({
    method: 'GET',
    path,
    headers: { authorization: key },
    body: undefined,
    text: '',
  });
  const asked = `GET /v1${path}`;
  if ('problem' in sent) throw new Fault('server_answer', `${asked}: the other server ${sent.problem}`);
  const { status, body } = sent.reply;
  if (status === 401 || status === 403)
    throw new Fault('server_answer', `${asked}: the other server does not accept COMPARE_KEY (${status})`);
  if (status !== 200 || !isObject(body) || !Array.isArray(body['items']))
    throw new Fault('server_answer', `${asked}: the other server replied ${status}, and no list of the API`);
}
