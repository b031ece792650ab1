// Takes a picture of every kind of question of every system, and of the pages around a game, on a desk and a phone,
// light and dark: FLAGPLOT_URL=http://127.0.0.1:7070 npm run gallery -- FOLDER [SYSTEM…]
import { mkdir } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import { launchOptions, PHONE } from './browser.mjs';
import { address, ask, atRest, create, people, until } from './help.mjs';

const url = process.env.FLAGPLOT_URL;
const [folder, ...wanted] = process.argv.slice(2);
if (!url || !folder) {
  console.error('usage: FLAGPLOT_URL=http://127.0.0.1:7070 npm run gallery -- FOLDER [SYSTEM…]');
  process.exit(2);
}
await mkdir(folder, { recursive: true });

const DESK = { viewport: { width: 1440, height: 900 } };
const MODES = {
  desk: DESK,
  'desk-dark': { ...DESK, colorScheme: 'dark' },
  phone: PHONE,
  'phone-dark': { ...PHONE, colorScheme: 'dark' },
};
/** A scenario that has shown nothing new for so many questions is left. */
const PATIENCE = 60;
/** A busy machine takes its time to open a page. */
const PATIENT = { timeout: 120_000 };

const browser = await chromium.launch(launchOptions);
const windows = await Promise.all(
  Object.entries(MODES).map(async ([mode, options]) => ({ mode, context: await browser.newContext(options) })),
);

/** Opens an address in every mode, waits for what shows that it is there, and takes the pictures. */
async function pictures(name, place, there, { before = async () => {}, reducedMotion = 'reduce' } = {}) {
  for (const { mode, context } of windows) {
    const page = await context.newPage();
    await page.emulateMedia({ reducedMotion });
    await page.goto(place, PATIENT);
    await page.locator(there).first().waitFor(PATIENT);
    await before(page);
    if (reducedMotion === 'reduce') await atRest(page);
    await page.screenshot({ path: `${folder}/${name}-${mode}.png` });
    await page.close();
  }
  console.log(name);
}

const systems = (await (await fetch(`${url}/api/systems`)).json()).filter(
  ({ id, scenarios }) => scenarios.length > 0 && (wanted.length === 0 || wanted.includes(id)),
);
for (const { id: system, scenarios } of systems) {
  const known = new Set();
  for (const scenario of scenarios) {
    if (scenario.id === 'table') continue;
    const made = await create(url, {
      system,
      scenario: scenario.id,
      dice: 'seeded',
      seed: '11',
      seats: people(scenario),
    });
    let idle = 0;
    const kind = ({ prompt, form }) => `${prompt.code}-${form.kind}`;
    const fresh = (question) => !known.has(kind(question)) || ++idle > PATIENCE;
    for (;;) {
      const met = await until(url, made, fresh, 2000);
      if (!met || idle > PATIENCE) break;
      idle = 0;
      const name = kind(met.question);
      known.add(name);
      await pictures(`${system}-${name}`, address(url, made, met.seat), '.question');
    }
  }
}

if (wanted.length === 0) {
  await pictures('home', `${url}/#/`, '.go button');
  await pictures('home-game', `${url}/#/?system=carrier-strike`, '.go button');
  // A battle that is shown, its report, and the end of the game with its luck.
  const made = await create(url, {
    system: 'schiffskrieg',
    scenario: 'midway-1942',
    dice: 'seeded',
    seed: '3',
    seats: people({ seats: [0, 1] }),
  });
  const met = await until(url, made, ({ prompt }) => prompt.code === 'declare-attacks');
  await until(url, made, () => false, 2000);
  const place = address(url, made, met.seat);
  const link = `${url}/#/game/${made.game}?at=${met.state.situation.at + 2}&from=${met.state.situation.at}`;
  await pictures('stage', link, '.stage .beat .die', { reducedMotion: 'no-preference' });
  await pictures('report', link, '.board', {
    before: (page) => page.getByRole('button', { name: 'Battle report' }).click(),
  });
  await pictures('end', place, '.outcome');
  await pictures('luck', `${url}/#/luck/${made.game}?token=${made.seats[met.seat].token}`, '.verdict');
}
await browser.close();
