import { createApi, httpTransport, pause, secretKeyOf, type Api, type ClientOptions } from '../api-client.ts';
import type { CommandContext } from '../command-context.ts';
import { downloadFile } from '../file-transfer.ts';
import { forSandbox } from '../sandbox-option.ts';
import { createBegunActions } from './begun-actions.ts';
import { createSandboxOnce } from './create-sandbox-once.ts';
import type { ToolContext } from './tool.ts';

/**
 * Creates what the tools need from the options of the command. The keys of sandboxes that a tool creates are kept in
 * memory; those of others are read from the data folder.
 */
export function createToolContext(
  context: CommandContext,
  options: ClientOptions,
  hostOptions: ClientOptions,
): ToolContext {
  const created = new Map<string, { url: string; secretKey: string }>();
  const unique = () => Buffer.from(context.random.bytes(5)).toString('hex');

  function connect({ url, secretKey }: { url: string; secretKey: string }, account?: string): Api {
    return createApi(context, httpTransport(context, url), { url, secretKey, account });
  }

  const placeOf = (given: ClientOptions) => ({ url: given.url, secretKey: secretKeyOf(given) });

  const placeOfSandbox = (sandbox: string | undefined) =>
    sandbox === undefined
      ? placeOf(options)
      : (created.get(sandbox) ?? placeOf(forSandbox({ ...options, sandbox })));

  const host = () => connect(placeOf(hostOptions));
  const creation = createSandboxOnce(host, unique);

  return {
    nowMs: () => context.clock.nowMs(),
    pause: (ms) => pause(context, ms),
    unique,
    api: (sandbox, account = options.account) => connect(placeOfSandbox(sandbox), account),
    download: (sandbox, path, file) => downloadFile(context, placeOfSandbox(sandbox), path, file),
    host,
    begun: createBegunActions(),
    async createSandbox(input) {
      const sandbox = await creation.create(input);
      created.set(sandbox.name, sandbox);
      return sandbox;
    },
    forget(name) {
      created.delete(name);
      creation.forget(name);
    },
  };
}
