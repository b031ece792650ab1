// What every browser test begins with. FLAGPLOT_SHOTS names a folder for pictures.
import { test as base, expect } from '@playwright/test';

export { expect };

const server = process.env.FLAGPLOT_URL;

export const test = base.extend({
  url: async ({}, use) => use(server),

  /** Opens a window of its own, as a newcomer would. An error inside it fails the test. */
  open: async ({ browser }, use) => {
    const contexts = [];
    const faults = [];
    await use(async ({ provoked, ...options } = {}) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(String(error)));
      // A connection that a test cuts is no fault of the page, nor is a refusal that the test announces with `provoked`,
      // a pattern of its address. A fault of the server always is.
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        const { url } = message.location();
        // All tests come from one address, which the server may ask to wait.
        if (/net::ERR_|status of 429/.test(message.text())) return;
        if (/status of 4/.test(message.text()) && provoked?.test(url)) return;
        faults.push(`${message.text()} ${url}`);
      });
      page.on('request', (request) => {
        const ours = /^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()) || request.url().startsWith(server);
        if (!ours) faults.push(`A request leaves the server: ${request.url()}`);
      });
      return { page, context };
    });
    for (const context of contexts) await context.close();
    expect(faults, 'errors in the page').toEqual([]);
  },

  /** Takes a picture if pictures are wanted. */
  shot: async ({}, use, { project }) =>
    use(async (page, picture) => {
      const folder = process.env.FLAGPLOT_SHOTS;
      const name = project.name === 'desk' ? picture : `${project.name}-${picture}`;
      if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
    }),
});
