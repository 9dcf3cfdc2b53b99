import { mkdtempSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { openPage, type BrowserPage } from './browser.ts';
import { WIDE } from './looks.ts';

interface DashboardOptions {
  /** Hash of the view, such as `#/webhooks`; the fleet by default. */
  at?: string;
  size?: { width: number; height: number };
  dark?: boolean;
}

/** A user of the dashboard. */
export interface DashboardPage extends BrowserPage {
  /** Waits until the chart shows this active state. */
  state(name: string): Promise<void>;
  button(name: string | RegExp): Locator;
  /** Opens a terminal by name from the fleet. */
  openTerminal(name: string | RegExp): Promise<void>;
  /** Starts a payment at the terminal shown, and waits until it awaits a card. */
  startPayment(options?: { amount?: string; pointOfSale?: boolean }): Promise<void>;
}

/** Opens the dashboard link in a new window, without animations, and waits until the page is connected. */
export async function openDashboard(
  browser: Browser,
  dashboardUrl: string,
  { at, size = WIDE, dark = false }: DashboardOptions = {},
): Promise<DashboardPage> {
  const browserPage = await openPage(browser);
  const { page } = browserPage;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  await page.addInitScript(COUNT_INPUT);
  await page.goto(dashboardUrl);
  await page.locator('span.link').waitFor();
  if (at !== undefined) await showView(page, at);

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const state = (name: string) => page.locator('.chart-state b', { hasText: name }).waitFor();
  return {
    ...browserPage,
    button,
    state,
    openTerminal: (name) => page.getByRole('link', { name }).first().click(),
    async startPayment({ amount, pointOfSale } = {}) {
      if (amount) await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
      const source = pointOfSale ? 'PointOfSale' : 'Terminal';
      await page.getByRole('combobox', { name: 'Receipts' }).selectOption(source);
      await button('Start payment').click();
      await state('awaitingCard');
      await page.locator('.drawing svg').waitFor();
    },
  };
}

/** Shows another view of the page, by its hash, and waits until the one before is gone. */
export async function showView(page: Page, hash: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('hashchange', resolve, { once: true });
    location.hash = ${JSON.stringify(hash)};
  })`);
}

/** Counts of the user's input, and the long tasks of the page. */
interface InputCounts {
  keysPressed: number;
  pointersPressed: number;
  /** Tasks of 50 ms and more. */
  longTasksMs: number[];
}

// Runs in the page before its own scripts.
const COUNT_INPUT = `
  const counted = (globalThis.counted = { keysPressed: 0, pointersPressed: 0, longTasksMs: [] });
  addEventListener('keydown', () => (counted.keysPressed += 1), true);
  addEventListener('pointerdown', () => (counted.pointersPressed += 1), true);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) counted.longTasksMs.push(Math.round(duration));
  }).observe({ entryTypes: ['longtask'] });
`;

export function inputCounts(page: Page): Promise<InputCounts> {
  return page.evaluate<InputCounts>('globalThis.counted');
}

/** Holds back the requests of a page to some addresses, until the function that it returns is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Waits until a page has read a reply that the browser has received: it reads the one to another request after it. */
export async function replyRead(page: Page, reply: Promise<Response>): Promise<void> {
  await (await reply).finished();
  await page.evaluate(`fetch('/healthz').then((response) => response.text())`);
}

/** The folder for pictures: `DASHBOARD_PICTURES`, or a new temporary folder. */
export function pictureFolder(): string {
  const named = process.env['DASHBOARD_PICTURES'];
  if (!named) return mkdtempSync(join(tmpdir(), 'tapbench-pictures-'));
  mkdirSync(named, { recursive: true });
  return named;
}
