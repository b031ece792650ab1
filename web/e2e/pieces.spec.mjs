import { answer, create, moved, primary, scenario } from './help.mjs';
import { expect, test } from './fixtures.mjs';
import { answerByHand, look, play, seeded } from './hands.mjs';

/** A short battle of each system, and the seat that a person takes. */
const BATTLES = [
  ['carrier-strike', 'hiryu-alone', 0],
  ['dogfite', 'hawker-1916', 0],
  ['schiffskrieg', 'force-de-raid-1939', 0],
  ['fleet-action', 'kormoran', 0],
  ['world-at-war', 'surigao-1944', 0],
];

async function against(url, system, wanted, seat) {
  const found = await scenario(url, system, wanted);
  expect(found?.id, `${system} has ${wanted}`).toBe(wanted);
  const game = await create(url, {
    system,
    scenario: wanted,
    dice: 'seeded',
    seed: '17',
    seats: found.seats.map((_, at) => (at === seat ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })),
  });
  return { game: game.game, token: game.seats[seat].token };
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The list is taken off the page, so that only the board answers. */
const noList = (page) =>
  page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const style = new CSSStyleSheet();
      style.replaceSync('.question .list, .question .plans, .question .actions .primary { visibility: hidden }');
      document.adoptedStyleSheets = [style];
    });
  });

const of = (...systems) => BATTLES.filter(([system]) => systems.includes(system));

for (const [system, battle, seat] of of('carrier-strike')) {
  test(`pieces alone play ${system}`, async ({ url, open }) => {
    const { game, token } = await against(url, system, battle, seat);
    const { page } = await open({ viewport: { width: 1440, height: 900 } });
    await noList(page);
    await page.goto(`${url}/#/game/${game}?token=${token}`);
    await expect(page.locator('main.game')).toBeVisible();
    const done = { drag: 0, piece: 0, chip: 0, nothing: 0 };
    const chance = seeded(5);
    const known = new Set();
    const asked = await play(
      page,
      () => answerByHand(page, chance, done),
      (n) => look(page, { url, game, token, known, odds: n <= 12 }),
    );
    expect(asked).toBeGreaterThan(1);
    expect(done.piece + done.drag, 'pieces were clicked and dragged').toBeGreaterThan(0);
  });
}

for (const [system, battle, seat] of of('world-at-war')) {
  test(`keys alone play ${system}`, async ({ url, open }) => {
    const { game, token } = await against(url, system, battle, seat);
    const { page } = await open();
    await page.goto(`${url}/#/game/${game}?token=${token}`);
    await expect(page.locator('main.game')).toBeVisible();
    const known = new Set();
    await play(
      page,
      async () => {
        const at = await page.locator('.question').getAttribute('data-at');
        await page.waitForFunction(() => document.activeElement?.closest('main'));
        if (await primary(page).isDisabled()) await page.keyboard.press('1');
        // An answer that is put together may need the plan that a digit takes.
        await expect(primary(page)).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await moved(page, at);
      },
      () => look(page, { url, game, token, known, odds: false }),
    );
  });
}

for (const [system, battle, seat] of of('schiffskrieg', 'world-at-war')) {
  test(`a phone plays ${system}`, async ({ url, open }) => {
    const { game, token } = await against(url, system, battle, seat);
    const { page } = await open(PHONE);
    await page.goto(`${url}/#/game/${game}?token=${token}`);
    await expect(page.locator('main.game')).toBeVisible();
    const known = new Set();
    await play(
      page,
      () => answer(page),
      () => look(page, { url, game, token, known }),
    );
  });
}
