// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns name, version and licence text of the packages in a bundle, which go beside it, as their licences require.
 * @param {readonly string[]} moduleIds the modules in the bundle
 */
export function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []));
  const texts = [...folders].map(noticeOf).sort();
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
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
