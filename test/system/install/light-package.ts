import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SystemFixture } from '../kit/system-fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The package as `npm pack` makes it, but for its dependencies, whose installation takes minutes where npm asks for each. */
export interface LightPackage {
  /** Path of the tarball. */
  tarball: string;
  /** The content of its package.json. */
  manifest: { name: string; version: string };
  /** A folder below which Node finds the dependencies. */
  temp: string;
}

/** Packs what has been built. */
export async function packLightPackage(fixture: SystemFixture): Promise<LightPackage> {
  const folder = fixture.folder();
  const run = async (program: string, words: string[], cwd: string) => {
    const { code, stderr } = await fixture.program(program, words, { cwd }).ended;
    if (code !== 0) throw new Error(`${program} ${words[0]} failed: ${stderr}`);
  };
  // It has been built before the system tests.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) delete manifest[kind];
  const tarball = join(folder, `tapbench-${manifest.version}.tgz`);
  await run('tar', ['-xzf', tarball], folder);
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest));
  await run('tar', ['-czf', tarball, 'package'], folder);
  const temp = fixture.folder();
  symlinkSync(join(ROOT, 'node_modules'), join(temp, 'node_modules'));
  return { tarball, manifest, temp };
}

/** Starts a registry of npm that has this package alone, and returns its address and the paths that it was asked for. */
export async function startRegistry(fixture: SystemFixture, { tarball, manifest }: LightPackage) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    if (request.url === '/tapbench.tgz') return response.end(readFileSync(tarball));
    if (request.url !== '/tapbench') return response.writeHead(404).end();
    const { version } = manifest;
    const versions = { [version]: { ...manifest, dist: { tarball: `${url}/tapbench.tgz` } } };
    response.end(JSON.stringify({ name: 'tapbench', 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fixture.onCleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, asked };
}
