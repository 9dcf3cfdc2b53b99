// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A plugin that writes the licence texts of the packages in a bundle to a file beside it, as their licences require.
 * @param {string} fileName from the output folder
 * @param {readonly string[]} moduleIds modules of other bundles whose licences the file also has
 * @returns {import('rolldown').Plugin}
 */
export function bundledLicences(fileName, moduleIds = []) {
  return {
    name: 'bundled-licences',
    generateBundle(_options, files) {
      const all = [...moduleIds, ...modulesIn(Object.values(files))];
      const folders = new Set(all.flatMap((id) => packageFolder(id) ?? []));
      const texts = [...folders].map(noticeOf).sort();
      this.emitFile({ type: 'asset', fileName, source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

/**
 * Returns the ids of the modules in the files of a bundle.
 * @param {readonly ({ type: 'asset' } | { type: 'chunk', moduleIds: string[] })[]} files
 */
export function modulesIn(files) {
  return files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/**
 * The folder of the package that a module belongs to; undefined for a module of this project.
 * @param {string} moduleId
 */
function packageFolder(moduleId) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0];
}

/** @param {string} folder of a package */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
