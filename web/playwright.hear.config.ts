import base from './playwright.config';

// A browser with a window, which hands its pages to screen readers. `npm run hear` gives it a display and
// a session bus.
const { launchOptions, ...use } = base.use ?? {};

export default {
  ...base,
  testIgnore: [],
  testMatch: 'hear.spec.mjs',
  projects: [{ name: 'screen reader' }],
  use: {
    ...use,
    headless: false,
    launchOptions: {
      ...launchOptions,
      args: [...(launchOptions?.args ?? []), '--force-renderer-accessibility'],
      env: { ...process.env, ACCESSIBILITY_ENABLED: '1' },
    },
  },
};
