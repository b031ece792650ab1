import { PHONE } from './browser.mjs';
import { expect, test } from './fixtures.mjs';
import { address, atRest, create, people, until } from './help.mjs';

const tooltip = (page) => page.getByRole('tooltip');

/** Opens a game of two people at the first question that the test wants. */
async function seated(url, open, [system, scenario, wanted], options) {
  const game = await create(url, { system, scenario, dice: 'seeded', seed: '5', seats: people({ seats: [0, 1] }) });
  const met = await until(url, game, wanted);
  const { page } = await open(options);
  await page.goto(address(url, game, met.seat));
  await expect(page.locator('.question')).toBeVisible();
  // Without its words nothing can be explained.
  await page.waitForFunction(() => document.querySelector('.status .term, .question .term, [data-piece]') !== null);
  await atRest(page);
  return { page, scene: met.state.situation.scene };
}

/** For each kind of mark in sight, a point at which the pointer meets one. */
const met = (page) =>
  page.evaluate(() => {
    const found = {};
    for (const one of document.querySelectorAll('[data-mark], [data-term], [data-piece]')) {
      const marks = one.getAttribute('data-mark') ?? '';
      const kinds = one.hasAttribute('data-mark')
        ? marks.split('\n').map((mark) => mark.slice(0, mark.indexOf(':')))
        : [one.hasAttribute('data-term') ? 'term' : one.closest('.deck') ? 'berth' : 'piece'];
      if (kinds.every((kind) => kind in found)) continue;
      const box = one.getBoundingClientRect();
      spots: for (let row = 1; row < 16; row++)
        for (let column = 1; column < 16; column++) {
          const [x, y] = [box.x + (box.width * column) / 16, box.y + (box.height * row) / 16];
          const at = document.elementFromPoint(x, y)?.closest('[data-mark], [data-term], [data-piece]');
          if (at !== one) continue;
          for (const kind of kinds) found[kind] ??= { x, y };
          break spots;
        }
    }
    return found;
  });

/** Rests the pointer on one mark of each kind and reads what is said; returns the kinds. */
async function explained(page) {
  const spots = await met(page);
  for (const [kind, { x, y }] of Object.entries(spots)) {
    await page.mouse.move(x, y, { steps: 2 });
    await expect(tooltip(page), `a ${kind} explains itself`).toContainText(/\w+ .*\w/);
    await page.keyboard.press('Escape');
    await expect(tooltip(page)).toHaveCount(0);
    await page.mouse.move(1, 1);
  }
  return Object.keys(spots);
}

const any = () => true;
const later = (questions) => () => questions-- === 0;
/** Boards that have, together, every kind of mark. */
const BOARDS = [
  [['schiffskrieg', 'midway-1942', any], ['piece', 'term', 'box']],
  [['carrier-strike', 'coral-sea', ({ prompt }) => prompt.code === 'choose-action'], ['piece', 'term', 'line', 'berth']],
  [['world-at-war', 'rzhev-1942', any], ['piece', 'term', 'terrain', 'edge', 'mark']],
  // Ships that have moved leave wakes.
  [['fleet-action', 'blackett-strait', later(8)], ['piece', 'term', 'card', 'figure', 'area', 'track']],
];

test('every kind of mark on a board explains itself under the pointer', async ({ url, open }) => {
  const all = new Set();
  for (const [board, wanted] of BOARDS) {
    const { page, scene } = await seated(url, open, board, { viewport: { width: 1440, height: 900 } });
    if (scene.decks?.length) await page.locator(`[data-piece="${scene.decks[0].piece}"]`).click();
    if (wanted.includes('card')) {
      await page.locator('[data-piece]').first().click();
      await expect(page.getByRole('region', { name: 'Data card' })).toBeVisible();
      await page.mouse.move(1, 1);
    }
    const sheets = page.getByRole('tab', { name: 'Sheets' });
    if ((await sheets.count()) > 0) await sheets.click();
    const kinds = await explained(page);
    expect(kinds, board.slice(0, 2).join(' ')).toEqual(expect.arrayContaining(wanted));
    for (const kind of kinds) all.add(kind);
    await page.close();
  }
  for (const kind of ['sheet', 'column']) expect([...all], 'kinds of marks').toContain(kind);
});

test('a long press explains a piece, a drag does not', async ({ url, open }) => {
  const { page } = await seated(url, open, ['schiffskrieg', 'midway-1942', any], PHONE);
  const { piece: at } = await met(page);
  const session = await page.context().newCDPSession(page);
  const touch = async (type, x, y) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  };
  await touch('touchStart', at.x, at.y);
  await expect(tooltip(page)).toContainText(/Factor/);
  await touch('touchEnd');
  await expect(tooltip(page), 'it stays to be read').toBeVisible();
  await touch('touchStart', at.x, at.y);
  await touch('touchMove', at.x + 30, at.y + 4);
  await page.waitForTimeout(800);
  await expect(tooltip(page)).toHaveCount(0);
  await touch('touchEnd');
});

test('the keyboard explains a word, a piece and a figure', async ({ url, open }) => {
  const { page } = await seated(url, open, ['fleet-action', 'kormoran', any], { viewport: { width: 1440, height: 900 } });
  const reach = async (selector, key, most = 80) => {
    const there = () => page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);
    for (let n = 0; n < most && !(await there()); n++) await page.keyboard.press(key);
    expect(await there(), `${key} reaches ${selector}`).toBe(true);
  };
  await page.locator('.board').focus();
  await page.keyboard.press('ArrowDown');
  await reach('.board [data-stop]', 'ArrowDown', 2);
  await expect(tooltip(page)).toContainText(/ /);
  await page.keyboard.press('Enter');
  await expect(page.locator('.looked')).toBeVisible();
  await reach('.looked', 'Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.looked [data-mark]:focus')).toHaveCount(1);
  await expect(tooltip(page)).toContainText(/ /);
  await page.keyboard.press('Escape');
  await expect(tooltip(page)).toHaveCount(0);
  await reach('button.term', 'Tab');
  await expect(tooltip(page)).toContainText(/ /);
});
