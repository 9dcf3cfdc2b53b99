import type { IncomingMessage } from 'node:http';
import { DEFAULT_SANDBOX } from '../../protocol/topics.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { PathOpener } from '../platform/http/sockets/upgrades.ts';
import type { RequestContext, RequestContexts } from '../platform/http/request-context.ts';
import type { SandboxRegistry } from './sandbox-registry.ts';
import { needsTerminals } from './sandbox-terminals.ts';

const PREFIX = /^\/s\/([a-z0-9-]{1,40})(?=\/)/;

/** Returns the path prefix of a sandbox; empty for the default one. */
export function pathPrefixOf(name: string): string {
  return name === DEFAULT_SANDBOX ? '' : `/s/${name}`;
}

/**
 * Chooses the sandbox of a request: by the prefix `/s/{name}` of its path, else by its key. What names no sandbox is for
 * `default`, where an unknown key or path is refused.
 */
export function sandboxContexts(
  main: RequestContext,
  registry: Pick<SandboxRegistry, 'find' | 'nameOfKey' | 'opened' | 'open' | 'lookup'>,
): RequestContexts {
  /** Returns the name in the path, else the key, where it belongs to no known sandbox. */
  function unknownIn({ url = '', headers }: IncomingMessage): string | undefined {
    const name = url.startsWith('/s/') ? PREFIX.exec(url)?.[1] : undefined;
    if (name !== undefined) return name === DEFAULT_SANDBOX || registry.find(name) ? undefined : name;
    const key = headers.authorization?.trim();
    return key && registry.nameOfKey(key) === undefined ? key : undefined;
  }

  /** Removes the prefix from the URL, where it names a sandbox. */
  function nameInPath(request: IncomingMessage): string | undefined {
    const { url = '' } = request;
    if (!url.startsWith('/s/')) return undefined;
    const [prefix = '', name = ''] = PREFIX.exec(url) ?? [];
    if (name !== DEFAULT_SANDBOX && !registry.find(name)) return undefined;
    request.url = url.slice(prefix.length);
    return name;
  }

  function nameInKey({ headers }: IncomingMessage): string | undefined {
    const key = headers.authorization?.trim();
    return key ? registry.nameOfKey(key) : undefined;
  }

  function contextOf(request: IncomingMessage): RequestContext | Promise<RequestContext> {
    const name = nameInPath(request) ?? nameInKey(request) ?? DEFAULT_SANDBOX;
    if (name === DEFAULT_SANDBOX) return main;
    const opened = registry.opened(name);
    const needed = needsTerminals(request.url ?? '');
    if (opened && (!needed || opened.terminals.state === 'ready')) return opened.context;
    return openFor(name, needed).catch((thrown: unknown) => ({
      ...main,
      fault: thrown instanceof Error ? thrown : new Error(String(thrown)),
    }));
  }

  async function openFor(name: string, needsThem: boolean): Promise<RequestContext> {
    const { context, terminals } = await registry.open(name);
    if (needsThem) await terminals.start();
    return context;
  }

  return {
    main,
    of(request) {
      const unknown = unknownIn(request);
      const lookup = unknown === undefined ? undefined : registry.lookup(unknown);
      return lookup ? lookup.then(() => contextOf(request)) : contextOf(request);
    },
  };
}

/**
 * Returns the opener of the WebSockets of a sandbox: of its dashboard, which opens the sandbox, and of MQTT, where the user
 * name says which sandbox a device belongs to.
 * @param paths in the sandbox `default`
 */
export function webSocketOpener(
  registry: Pick<SandboxRegistry, 'find' | 'open'>,
  paths: { live: string; mqtt: string },
): PathOpener {
  return (path) => {
    const [prefix = '', name = ''] = PREFIX.exec(path) ?? [];
    const within = path.slice(prefix.length);
    const isKnown = registry.find(name) !== undefined;
    if (within === paths.mqtt && (isKnown || name === DEFAULT_SANDBOX)) return async () => paths.mqtt;
    if (!isKnown || within !== paths.live) return undefined;
    return async () => {
      const { context, terminals } = await registry.open(name);
      await terminals.start();
      // Closed meanwhile.
      if (context.closing) throw new Refusal('stopping');
      return path;
    };
  };
}
