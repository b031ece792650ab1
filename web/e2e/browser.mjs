/** The browser of the system that tests and pictures are made with; FLAGPLOT_CHROMIUM names another. */
export const launchOptions = {
  executablePath: process.env.FLAGPLOT_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
/** The window of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
