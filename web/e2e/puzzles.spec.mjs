import { expect, test } from './fixtures.mjs';

const get = async (url, path) => (await fetch(`${url}/api/${path}`)).json();

/** A puzzle of a system, counted from the end, and its best answer, which the server tells a browser of its own. */
async function puzzle(url, system, back) {
  const brief = (await get(url, `systems/${system}/puzzles`)).at(-back);
  const shown = await get(url, `puzzles/${brief.id}`);
  const response = await fetch(`${url}/api/puzzles/${brief.id}/answer`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ option: 0, browser: `looks-first-${system}` }),
  });
  const { best } = await response.json();
  return { ...brief, best, worst: (best + 1) % shown.options.length, options: shown.options };
}

const choose = (page, at) => page.locator('.right label').nth(at);

test('a puzzle is missed and then solved by clicks', async ({ url, open, shot }) => {
  const { page } = await open();
  const one = await puzzle(url, 'schiffskrieg', 1);
  await page.goto(`${url}/#/puzzles/schiffskrieg`);
  await page.getByRole('link', { name: new RegExp(`^${one.number}\\. `) }).click();
  await expect(page.locator('.board')).toBeVisible();
  await expect(page.locator('.aim')).toContainText('You win if');
  const answer = page.getByRole('button', { name: 'Answer', exact: true });
  await expect(answer).toBeDisabled();
  await choose(page, one.worst).click();
  await shot(page, 'puzzle');
  await answer.click();
  await expect(page.getByRole('heading', { name: 'Not the best answer' })).toBeVisible();
  await expect(page.locator('.bars li').first()).toContainText(one.options[one.best].label);
  await expect(page.locator('.bars li', { hasText: 'Yours' })).toContainText(one.options[one.worst].label);
  await expect(page.locator('.bars li')).toHaveCount(one.options.length);
  await expect(page.locator('.bars li').first()).toContainText(/\d+% \(±\d+\)/);
  await expect(page.getByText('Your answer counts.')).toBeVisible();
  await shot(page, 'puzzle-missed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await choose(page, one.best).click();
  await answer.click();
  await expect(page.getByRole('heading', { name: 'Right' })).toBeVisible();
  await expect(page.getByText('Only your first answer in this browser counts.')).toBeVisible();
  await expect(page.getByText(/Solved by \d+% of \d+ players?/).first()).toBeVisible();
  const before = page.url();
  await page.getByRole('link', { name: 'Next puzzle' }).click();
  await expect(answer).toBeVisible();
  expect(page.url()).not.toBe(before);
  await page.goto(`${url}/#/puzzles/schiffskrieg`);
  await expect(page.locator('.list li', { hasText: 'you missed it' })).toHaveCount(1);
});

test('a puzzle is solved by keyboard alone', async ({ url, open }) => {
  const { page } = await open();
  const one = await puzzle(url, 'carrier-strike', 1);
  await page.goto(`${url}/#/puzzles/carrier-strike/${one.id}`);
  const first = choose(page, 0).locator('input');
  await first.waitFor();
  const reached = (locator) => locator.evaluate((own) => own === document.activeElement);
  for (let n = 0; n < 200 && !(await reached(first)); n++) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  for (let at = 0; at < one.best; at++) await page.keyboard.press('ArrowDown');
  await expect(choose(page, one.best).locator('input')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Right' })).toBeVisible();
  await expect(page.locator('.result')).toBeFocused();
});

test('the puzzle of the day stands on the home page', async ({ url, open }) => {
  const { page } = await open();
  const { today } = await get(url, 'puzzles');
  await page.goto(`${url}/#/`);
  const card = page.locator('section.today');
  await expect(card).toContainText('Puzzle of the day');
  await expect(card).toContainText(`${today.title}: ${today.scenario}`);
  await card.getByRole('link', { name: /Solve it/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${today.title}: ${today.scenario}`);
  await expect(page.locator('.right label').first()).toBeVisible();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
});

test('every game has its puzzles, and an unknown one is refused', async ({ url, open }) => {
  const { page } = await open();
  await page.goto(`${url}/#/puzzles`);
  await expect(page.locator('li.card')).toHaveCount(5);
  await page.getByRole('link', { name: /Choose a puzzle.*Dogfite!/ }).click();
  await expect(page.getByRole('heading', { name: 'Puzzles of Dogfite!' })).toBeVisible();
  expect((await fetch(`${url}/api/puzzles/dogfite-nothing`)).status).toBe(404);
  expect((await get(url, 'puzzles/dogfite-nothing')).error.code).toBe('no-puzzle');
});
