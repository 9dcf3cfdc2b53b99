import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codeBlock, codeBlocks } from '../kit/documented-code.ts';
import { createReaderShell, type Typed } from '../readers/reader-shell.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// npm installs from one to three times in each.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const ROOT = join(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** The commands of docs/installing.md, by a text that only one of its blocks has. */
const COMMANDS = {
  clone: 'git clone',
  fromGit: 'git+<repository>',
  pack: 'npm pack',
  fromPackage: '--save-dev ../tapbench',
  start: 'npx tapbench up',
  global: '--global',
};
const documented = (name: keyof typeof COMMANDS): string =>
  codeBlock('installing.md', 'sh', COMMANDS[name]).replaceAll('git+<repository>', `git+file://${ROOT}`);

const fixture = createSystemFixture();
const shell = createReaderShell(fixture);
const clone = join(shell.home, 'tapbench');
let cloned: Typed;

// One clone for all tests, since installing its dependencies takes longest. For the same reason tests run at once.
beforeAll(async () => {
  cloned = await shell.serve(documented('clone').replace('<repository>', ROOT), shell.home);
  await shell.type(documented('pack'), clone);
});
afterAll(() => fixture.cleanUp());

function emptyFolder(name: string): string {
  const folder = join(shell.home, name);
  mkdirSync(folder);
  return folder;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** Versions and numbers come and go. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(/\d[\d.]*/g, 'N'));
}

/** Returns the lines that npm printed and docs/installing.md does not have. */
function undocumentedLines({ output }: Typed): string[] {
  const documentedLines = new Set(codeBlocks('installing.md', '', 'npm warn').flatMap(linesOf));
  // Of the settings of this machine, and how long it took.
  const aside = /Unknown user config|^(added|changed) N? ?packages|^$/;
  return linesOf(output).filter((line) => !aside.test(line) && !documentedLines.has(line));
}

test('docs/installing.md: each of its commands is run by a test', () => {
  const blocks = codeBlocks('installing.md', 'sh');
  expect(blocks.map((block) => Object.values(COMMANDS).filter((text) => block.includes(text)))).toEqual(
    Object.values(COMMANDS).map((text) => [text]),
  );
});

test('docs/installing.md: a clone starts a server, and npx runs the commands in its folder', async () => {
  expect(cloned.output).toMatch(/Secret key +sk_sandbox_/);
  expect((await shell.type('npx tapbench --version', clone)).output).toContain(`${version}\n`);
});

test.concurrent(
  'docs/installing.md: a project installs it from git, with the commit in its lockfile',
  async () => {
    const project = emptyFolder('project-from-git');
    expect(undocumentedLines(await shell.type(documented('fromGit'), project))).toEqual([]);
    const { resolved } = readJson(project, 'package-lock.json').packages['node_modules/tapbench'];
    const commit = (await shell.type('git rev-parse HEAD', ROOT)).output.trim();
    expect(resolved).toBe(`git+file://${ROOT}#${commit}`);
    expect((await shell.serve(documented('start'), project)).output).toMatch(/Secret key +sk_sandbox_/);
  },
);

test.concurrent(
  'docs/installing.md: a project installs the package of a clone, starts a server and takes a payment',
  async () => {
    const project = emptyFolder('project');
    const installed = await shell.type(documented('fromPackage'), project);
    expect(undocumentedLines(installed)).toEqual([]);
    expect(readJson(project, 'package.json').devDependencies).toEqual({
      tapbench: `file:../tapbench/tapbench-${version}.tgz`,
    });
    const { output } = await shell.serve(documented('start'), project, async (url) => {
      const pay = `TAPBENCH_URL=${url} npx tapbench pay 1742 --wait`;
      expect((await shell.type(pay, project)).output).toContain('Succeeded');
      // The scenarios are files of the package.
      const compare = `TAPBENCH_URL=${url} npx tapbench compare --only payments/capture`;
      expect((await shell.type(compare, project)).output).toContain('payments/capture: ');
    });
    expect(output).toContain('PaymentSession.captured');
  },
);

test.concurrent('docs/installing.md: a global installation has the command in each folder', async () => {
  const [install, start] = documented('global').split('\n') as [string, string];
  const { output } = await shell.type(install, clone);
  expect(output).not.toMatch(/deprecated|ERR!/);
  const folder = emptyFolder('elsewhere');
  expect((await shell.serve(start, folder)).output).toMatch(/Secret key +sk_sandbox_/);
});

test.concurrent(
  'docs/testing.md: its first test passes in a project with the settings of docs/installing.md, which silence npm but for tapbench itself',
  async () => {
    const project = emptyFolder('shop');
    writeFileSync(join(project, 'package.json'), codeBlock('installing.md', 'json', 'allowScripts'));
    const installed = await shell.type(codeBlock('testing.md', 'sh', 'npm install'), project);
    expect(installed.output).not.toContain('EBADENGINE');
    expect(installed.output.match(/install-scripts +\S+@\S+/g)).toEqual([
      `install-scripts   tapbench@${version}`,
    ]);
    writeFileSync(
      join(project, 'payment.test.ts'),
      codeBlock('testing.md', 'ts', 'a tapped payment is captured'),
    );
    // Beside other installations its five seconds may be short.
    writeFileSync(join(project, 'vitest.config.js'), 'export default { test: { testTimeout: 60_000 } };\n');
    const { output } = await shell.type(codeBlock('testing.md', 'sh', 'npx vitest run\n'), project);
    expect(output).toMatch(/Tests +1 passed/);
  },
);

test('docs/installing.md: npm asks its registry for dependencies, and never for tapbench', () => {
  const requests = readdirSync(shell.npmLogs)
    .flatMap((file) => readFileSync(join(shell.npmLogs, file), 'utf8').split('\n'))
    .filter((line) => / http (fetch|cache) .*https?:/.test(line));
  expect(requests.some((line) => line.includes('/xstate'))).toBe(true);
  expect(requests.filter((line) => /\/tapbench\b/.test(line))).toEqual([]);
});
