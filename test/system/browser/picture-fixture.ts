import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startBrowser } from './browser.ts';
import { pictureFolder } from './dashboard-page.ts';
import { createSystemFixture, type SystemFixture } from '../kit/system-fixture.ts';

interface PictureFixture {
  fixture: SystemFixture;
  /** The folder for pictures, whose path is printed. */
  folder: string;
  /** The browser of the file's tests, which is started before them. */
  browser(): Browser;
}

/** Gives the tests of a file a browser and a folder for pictures, and cleans up after them. */
export function createPictureFixture(): PictureFixture {
  const fixture = createSystemFixture();
  const folder = pictureFolder();
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
    fixture.onCleanUp(() => browser.close());
    console.log(`  pictures of the dashboard: ${folder}`);
  });
  afterAll(() => fixture.cleanUp());
  return { fixture, folder, browser: () => browser };
}
