import { answer, atRest, create, scenario } from './help.mjs';
import { PHONE } from './browser.mjs';
import { expect, test } from './fixtures.mjs';
import { Hand } from './board.mjs';
import { answerByKeys, look, nameless, play, seeded, tabStops, tree } from './hands.mjs';

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

/** Opens the page of the only person in a battle. */
async function sitDown({ url, open }, [system, battle, seat], options, prepare = async () => {}) {
  const { game, token } = await against(url, system, battle, seat);
  const { page } = await open(options);
  await prepare(page);
  await page.goto(`${url}/#/game/${game}?token=${token}`);
  await expect(page.locator('main.game')).toBeVisible();
  return { page, seen: { url, game, token, known: new Set() } };
}

/** The list is taken off the page, so that only the board answers. */
const noList = (page) =>
  page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const style = new CSSStyleSheet();
      style.replaceSync(
        '.question :is(.list, .plans, .actions .primary, form, select, input, .ways, .sheet) { visibility: hidden }',
      );
      document.adoptedStyleSheets = [style];
    });
  });

const DESK = { viewport: { width: 1440, height: 900 } };

/** A battle that is not over after one volley. */
const LONGER = ['schiffskrieg', 'midway-1942', 0];

for (const battle of BATTLES) {
  const [system] = battle;
  test(`pieces alone play ${system}`, async ({ url, open }) => {
    const { page, seen } = await sitDown({ url, open }, system === LONGER[0] ? LONGER : battle, DESK, noList);
    const hand = new Hand(page, seen, seeded(5));
    const asked = await play(
      page,
      () => hand.answer(),
      () => look(page, seen),
    );
    expect(asked).toBeGreaterThan(1);
    expect(hand.done.click + hand.done.drag, 'pieces were clicked and dragged').toBeGreaterThan(0);
  });

  test(`keys alone play ${system}, and a screen reader can follow`, async ({ url, open }) => {
    // A battle that is being shown would be in the tree at one time and not at another.
    const { page } = await sitDown({ url, open }, battle, { reducedMotion: 'reduce' });
    const done = { digit: 0, board: 0 };
    const heard = new Set();
    const trees = [];
    await play(
      page,
      () => answerByKeys(page, done),
      async (n) => {
        expect(await tabStops(page), 'the board is one stop for Tab').toBe(1);
        const prompt = await page.locator('#asked').evaluate((one) => one.querySelector('.prompt').textContent.trim());
        await expect(page.locator('[aria-live=assertive]'), 'the question is announced').toContainText(prompt);
        heard.add((await page.locator('[role=log]').innerText()).trim());
        await atRest(page);
        const now = await tree(page);
        expect(nameless(now), `controls without a name at “${prompt}”`).toEqual([]);
        trees.push(`# Question ${n}\n${now}\n`);
      },
    );
    expect(done.digit, 'questions were answered from the list').toBeGreaterThan(0);
    expect(done.board, 'questions were answered on the board').toBeGreaterThan(0);
    expect([...heard].filter(Boolean).length, 'what happened is announced').toBeGreaterThan(1);
    // What a screen reader is given in one whole game is kept, so that a change of it is seen.
    if (system === 'schiffskrieg') expect(trees.join('\n')).toMatchSnapshot('schiffskrieg.txt');
  });

  test(`a phone plays ${system}`, async ({ url, open }) => {
    const { page, seen } = await sitDown({ url, open }, battle, PHONE);
    await play(
      page,
      () => answer(page),
      () => look(page, seen),
    );
  });
}
