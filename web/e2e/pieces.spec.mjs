import { atRest, create, scenario } from './help.mjs';
import { PHONE } from './browser.mjs';
import { expect, test } from './fixtures.mjs';
import { Hand } from './board.mjs';
import { answerByKeys, faults, look, nameless, play, seeded, tabStops, tree } from './hands.mjs';

/** A short battle of each system, and the seat that a person takes. */
const BATTLES = [
  ['carrier-strike', 'hiryu-alone', 0],
  ['dogfite', 'hawker-1916', 0],
  ['schiffskrieg', 'force-de-raid-1939', 0],
  ['fleet-action', 'kormoran', 0],
  ['world-at-war', 'surigao-1944', 0],
];
/** Battles on land and in the air, and one with squadrons over the fleet. */
const OTHERS = [
  ['world-at-war', 'rzhev-1942', 0],
  ['world-at-war', 'schweinfurt-1943', 0],
  ['fleet-action', 'illustrious', 0],
];

async function against(url, system, wanted, seat) {
  const found = await scenario(url, system, wanted);
  expect(found?.id, `${system} has ${wanted}`).toBe(wanted);
  const game = await create(url, {
    system,
    scenario: wanted,
    dice: 'seeded',
    seed: '17',
    // A clock is in sight all the time and never runs out.
    clock: { kind: 'per-move', seconds: 7200, on_timeout: 'computer' },
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
  return { page, seen: { url, game, token, known: new Map() } };
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

/** Pieces gave the answers: the words below the board only what names none, and few answers were not as advised. */
function handMade(hand, share = 8) {
  const asked = hand.answers.length;
  expect(asked).toBeGreaterThan(0);
  expect(hand.answers.flatMap(({ slips }) => slips), 'answers that were given without their pieces').toEqual([]);
  const other = hand.answers.filter(({ how }) => how !== 'advice').map(({ code }) => code);
  expect(other.length, `not as advised: ${other}`).toBeLessThanOrEqual(1 + Math.floor(asked / share));
}

const DESK = { viewport: { width: 1440, height: 900 } };

/** A battle that is not over after one volley. */
const LONGER = ['schiffskrieg', 'midway-1942', 0];

/** Whose squadrons the board has no hand for yet: their missions are chosen from lists. */
const KEYS_ONLY = ['illustrious'];

for (const battle of [...BATTLES, ...OTHERS]) {
  const [system] = battle;
  const name = OTHERS.includes(battle) ? `${system}, ${battle[1]}` : system;
  const byPieces = KEYS_ONLY.includes(battle[1]) ? () => {} : test;
  byPieces(`pieces alone play ${name}`, async ({ url, open }) => {
    const { page, seen } = await sitDown({ url, open }, system === LONGER[0] ? LONGER : battle, DESK, noList);
    const hand = new Hand(page, seen, seeded(5));
    const asked = await play(
      page,
      () => hand.answer(),
      () => look(page, seen),
    );
    expect(asked).toBeGreaterThan(1);
    handMade(hand);
    if (hand.draggable > 0) expect(hand.done.drag, 'pieces were dragged').toBeGreaterThan(0);
  });

  test(`keys alone play ${name}, and a screen reader can follow`, async ({ url, open }) => {
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
    if (done.digit > 4) expect(done.board, 'questions were answered on the board').toBeGreaterThan(0);
    expect([...heard].filter(Boolean).length, 'what happened is announced').toBeGreaterThan(1);
    // What a screen reader is given in one whole game is kept, so that a change of it is seen.
    if (system === 'schiffskrieg') expect(trees.join('\n')).toMatchSnapshot('schiffskrieg.txt');
  });

  if (OTHERS.includes(battle)) continue;

  test(`a phone plays ${name}`, async ({ url, open }) => {
    const { page, seen } = await sitDown({ url, open }, battle, PHONE);
    const before = async () => expect(await faults(page, []), 'before the answer is given').toEqual([]);
    const hand = new Hand(page, seen, seeded(5), { touch: true, before });
    await play(
      page,
      () => hand.answer(),
      () => look(page, seen, 2),
    );
    handMade(hand, 4);
  });
}
