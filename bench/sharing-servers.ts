import { join } from 'node:path';
import type { Child } from './child.ts';
import type { ExternalEngines } from './external-engines.ts';
import type { OurServer } from './processes/our-server.ts';

const KEYS = {
  SECRET_KEY: 'sk_sandbox_of_the_servers_of_the_bench_0123456789',
  PUBLIC_KEY: 'pk_sandbox_of_the_servers_of_the_bench_0123456789',
  DASHBOARD_TOKEN: 'dash_of_the_servers_of_the_bench_0123456789',
};

interface SharingServers {
  folder: string;
  engines: ExternalEngines;
  /** Whether sandboxes that are created get a terminal. */
  hosts?: boolean;
  /** More settings of each server. */
  settings?: Record<string, string>;
}

/** Starts one server or two, with the same keys, on the same engines. */
export async function startSharingServers(
  children: readonly Child[],
  { folder, engines, hosts = false, settings }: SharingServers,
): Promise<OurServer[]> {
  const servers: OurServer[] = [];
  for (const [index, child] of children.entries()) {
    const own = index === 0 ? engines.settings : engines.secondSettings;
    const order = {
      dataDir: join(folder, String(index)),
      withTerminal: false,
      hosts,
      settings: { ...own, ...KEYS, ...settings },
    };
    servers.push(await child.ask<OurServer>('start', order));
  }
  return servers;
}
