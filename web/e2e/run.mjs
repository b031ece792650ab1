// Browser tests against a running server: FLAGPLOT_URL=http://127.0.0.1:7070 npm run e2e
// Names of tests as arguments run only those. FLAGPLOT_CHROMIUM names the browser; FLAGPLOT_SHOTS a folder for pictures.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import * as access from './access.mjs';
import * as forms from './forms.mjs';
import * as games from './games.mjs';
import * as pages from './pages.mjs';
import * as table from './table.mjs';

const url = process.env.FLAGPLOT_URL;
if (!url) {
  console.error('FLAGPLOT_URL must name a running server, such as http://127.0.0.1:7070.');
  process.exit(2);
}
const shots = process.env.FLAGPLOT_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.FLAGPLOT_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** A window of its own, as a stranger would open it. Anything that goes wrong inside fails the test. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()) && !request.url().startsWith(url)) faults.push(`A request leaves the server: ${request.url()}`);
  });
  return { page, context, faults };
}

const tests = { ...pages, ...games, ...forms, ...table, ...access };
const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const windows = [];
  const started = performance.now();
  try {
    await test({
      url,
      open: async (options) => {
        const opened = await open(options);
        windows.push(opened);
        return opened;
      },
      shot: async (page, picture) => {
        if (shots) await page.screenshot({ path: `${shots}/${picture}.png` });
      },
    });
    const faults = windows.flatMap((one) => one.faults);
    if (faults.length > 0) throw new Error(`The page complained:\n  ${faults.join('\n  ')}`);
    console.log(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack ?? error}`);
    for (const [at, one] of windows.entries()) if (shots) await one.page.screenshot({ path: `${shots}/failed-${name}-${at}.png` }).catch(() => {});
  }
  for (const one of windows) await one.context.close();
}
await browser.close();
console.log(failed === 0 ? 'All browser tests passed.' : `${failed} browser tests failed.`);
process.exit(failed === 0 ? 0 : 1);
