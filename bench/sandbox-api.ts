import { openHttp, requestText, succeeded } from './http-connection.ts';
import { SESSIONS_PATH } from './session-server.ts';

const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** The calls of a server that the benchmarks of sandboxes use, one at a time over one connection. */
export interface SandboxApi {
  /** @param from sandbox to fork */
  create(name: string, from?: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resets a sandbox that was created here. */
  reset(name: string): Promise<void>;
  /** Reads something of a sandbox that was created here, which opens it. */
  use(name: string): Promise<void>;
  /** Takes an online payment in a sandbox that was created here. */
  pay(name: string, session: object): Promise<void>;
  close(): void;
}

export async function openSandboxApi(server: { url: string; secretKey: string }): Promise<SandboxApi> {
  const connection = await openHttp(server.url);
  const keys = new Map<string, string>();
  const ask = async (key: string, method: string, path: string, body?: object) =>
    JSON.parse(succeeded(await connection.ask(requestText(method, path, key, body)))) as Record<
      string,
      string
    >;
  return {
    async create(name, from) {
      const { secretKey } = await ask(server.secretKey, 'POST', '/sandboxes', {
        name,
        ...(from && { from }),
      });
      keys.set(name, secretKey!);
    },
    async remove(name) {
      await ask(server.secretKey, 'DELETE', `/sandboxes/${name}`);
    },
    async reset(name) {
      await ask(keys.get(name)!, 'POST', '/sandbox/reset');
    },
    async use(name) {
      await ask(keys.get(name)!, 'GET', '/v1/customers');
    },
    async pay(name, session) {
      const { clientSecret } = await ask(keys.get(name)!, 'POST', SESSIONS_PATH, session);
      const attempt = { clientSecret, cardDetails: CARD };
      await ask(keys.get(name)!, 'POST', `${SESSIONS_PATH}/attempt-payment`, attempt);
    },
    close: () => connection.close(),
  };
}
