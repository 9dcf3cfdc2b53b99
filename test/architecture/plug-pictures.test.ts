import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describePlugPicture, drawPlugPicture, overflowing } from './plug-pictures/draw.ts';
import { PLUG_PICTURES } from './plug-pictures/pictures.ts';

const FOLDER = join(import.meta.dirname, '../../docs/readers');
const pages = Object.entries(PLUG_PICTURES);

// `npm run docs` runs this with --update, which draws the pictures.
test.each(pages)(
  'docs/readers/%s: its picture of what to plug where is that of its table',
  async (page, picture) => {
    const drawn = drawPlugPicture(picture);
    await expect(drawn, "the picture is out of date: run 'npm run docs'").toMatchFileSnapshot(
      join(FOLDER, 'plugs', `${page}.svg`),
    );
  },
);

test.each(pages)('docs/readers/%s: shows its picture, with words in its place', (page, { ways }) => {
  const text = readFileSync(join(FOLDER, `${page}.md`), 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`<img src="plugs/${page}.svg" width="720" alt="${describePlugPicture(ways)}">`);
});

test.each(pages)('docs/readers/%s: each text of its picture has room', (_page, { ways }) => {
  for (const way of ways) {
    expect(way.connections).toHaveLength(way.boxes.length - 1);
    expect(overflowing(way)).toEqual([]);
  }
});

/** Pages that are of no device. */
const OTHERS = ['README', 'adding-a-driver', 'stand-alone'];

const ROWS = ['twin', 'independent program', 'hardware'];
const ROOT = join(FOLDER, '../..');

test('docs/readers: every page of a device has a picture, and a table of what was tried whose tests exist', () => {
  const devices = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((name) => !OTHERS.includes(name));
  expect(devices.toSorted()).toEqual(Object.keys(PLUG_PICTURES).toSorted());
  for (const page of devices) {
    const text = readFileSync(join(FOLDER, `${page}.md`), 'utf8');
    const table = text.split('\n## What was tried\n')[1]?.split('\n#')[0] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    for (const row of ROWS) expect(rows, page).toContainEqual(expect.stringMatching(`^\\| ${row}\\b`));
    const tests = [...table.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!);
    expect(tests.length, page).toBeGreaterThan(1);
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  }
});
