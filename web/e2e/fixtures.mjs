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
    await use(async (options = {}) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(String(error)));
      // A refusal that a test provokes and a connection that it cuts are no faults of the page; a refused preview is.
      page.on('console', (message) => {
        const provoked = /status of [45]|net::ERR_/.test(message.text()) && !/preview/.test(message.location().url);
        if (message.type() === 'error' && !provoked) faults.push(message.text());
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
