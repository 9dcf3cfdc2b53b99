import {
  createApi,
  httpTransport,
  pause,
  secretKeyOf,
  type ServerApi,
  type ClientOptions,
} from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { downloadFile } from '../client/file-transfer.ts';
import type { ServerAddress } from '../command-line/server-address.ts';
import { createBegunActions } from './begun-actions.ts';
import { createSandboxOnce } from './create-sandbox-once.ts';
import { createCertificateRuns } from './certificate-runs.ts';
import { createShopRuns, type OwnShop } from './shop-runs.ts';
import { compareOnce, type OtherServer } from './compare-once.ts';
import type { ToolContext } from './tool.ts';

/** Looks the options of the command up anew, for a sandbox or the server's own: its server may start later. */
interface CurrentOptions {
  /** For the sandbox of the command unless another is named. */
  client(sandbox?: string): ClientOptions;
  host(): ClientOptions;
  shop: OwnShop;
  other: OtherServer;
}

interface Place extends ServerAddress {
  secretKey: string;
}

/**
 * Creates what the tools need from the options of the command. The keys of sandboxes that a tool creates are kept in
 * memory; those of others are read from the data folder.
 */
export function createToolContext(context: CommandContext, options: CurrentOptions): ToolContext {
  const created = new Map<string, Place>();
  const unique = () => Buffer.from(context.random.bytes(5)).toString('hex');

  function connect(place: Place, account?: string): ServerApi {
    return createApi(context, httpTransport(context, place), { ...place, account });
  }

  const placeOf = (found: ClientOptions): Place => ({
    url: found.url,
    origin: found.origin,
    secretKey: secretKeyOf(found),
  });

  const placeOfSandbox = (sandbox: string | undefined) =>
    created.get(sandbox ?? '') ?? placeOf(options.client(sandbox));

  const hostOf = (using: CommandContext): ServerApi => {
    const place = placeOf(options.host());
    return createApi(using, httpTransport(using, place), place);
  };
  const host = () => hostOf(context);
  const creation = createSandboxOnce(host, unique);

  return {
    nowMs: () => context.clock.nowMs(),
    pause: (ms) => pause(context, ms),
    unique,
    api: (sandbox, account = options.client().account) => connect(placeOfSandbox(sandbox), account),
    download: (sandbox, path, file) => downloadFile(context, placeOfSandbox(sandbox), path, file),
    host,
    begun: createBegunActions(),
    shopRuns: createShopRuns(context, options.shop, host),
    compare: (only) => compareOnce(context, options.other, hostOf, only),
    certificateRuns: createCertificateRuns(context, options.shop, (sandbox) => ({
      ...options.client(),
      ...placeOfSandbox(sandbox),
    })),
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
