import { defineConfig } from '@playwright/test';
import { launchOptions, PHONE } from './e2e/browser.mjs';

if (!process.env.FLAGPLOT_URL) {
  console.error('FLAGPLOT_URL must name a running server, such as http://127.0.0.1:7070.');
  process.exit(2);
}

export default defineConfig({
  testDir: 'e2e',
  // It needs a window; `npm run hear` runs it.
  testIgnore: 'hear.spec.mjs',
  outputDir: 'test-results',
  // What a screen reader is given in a game; `npx playwright test -g 'keys alone' --update-snapshots` writes it anew.
  snapshotPathTemplate: '{testDir}/trees/{arg}{ext}',
  // A whole game against a busy machine takes its time; a single step does not.
  timeout: 600_000,
  expect: { timeout: 15_000 },
  retries: 1,
  // Every test makes its own games, so that two can share the server, whatever their order.
  workers: 2,
  fullyParallel: true,
  reporter: [['list']],
  use: {
    actionTimeout: 15_000,
    viewport: { width: 1280, height: 860 },
    // Recording every test takes longer than most of them; the second try of one that failed is recorded.
    trace: 'on-first-retry',
    launchOptions,
  },
  projects: [
    { name: 'desk' },
    { name: 'dark', testMatch: 'access.spec.mjs', use: { colorScheme: 'dark' } },
    { name: 'phone', testMatch: 'access.spec.mjs', use: PHONE },
    { name: 'phone dark', testMatch: 'access.spec.mjs', use: { ...PHONE, colorScheme: 'dark' } },
    { name: 'phone puzzles', testMatch: 'puzzles.spec.mjs', grep: /by clicks|of the day/, use: PHONE },
    { name: 'phone lessons', testMatch: 'learn.spec.mjs', grep: /by clicks/, use: PHONE },
  ],
});
