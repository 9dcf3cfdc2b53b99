import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium as the system has it, with a fresh profile that is gone with it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
}

/** A person at a browser, and what went wrong in front of him. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Addresses of all that was asked for. */
  requested: string[];
  /** Errors of scripts, and what the policy of a page forbade. */
  complaints: string[];
}

/** Opens a window of its own. It takes certificates that sign themselves, as shops of tests have them. */
export async function visit(browser: Browser): Promise<Visitor> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refused = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refused) complaints.push(message.text());
  });
  return { context, page, requested, complaints };
}
