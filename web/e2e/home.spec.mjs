import { expect, test } from './fixtures.mjs';

/** Starts a game against the computer from the first page. */
async function start(page, url, system, scenario) {
  await page.goto(`${url}/#/?system=${system}${scenario ? `&scenario=${scenario}` : ''}`);
  await page.locator('.levels').getByText('Recruit', { exact: true }).click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('main.game')).toBeVisible();
  await expect(page.locator('.seats li', { hasText: '(you)' })).toBeVisible();
}
const side = (page) => page.locator('.seats li', { hasText: '(you)' }).locator('b').innerText();
const title = (page) => page.locator('.bar h1').innerText();

async function resign(page) {
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(page.locator('.outcome')).toBeVisible();
}

test('a running game is resumed, and its seat link works elsewhere', async ({ url, open, shot }) => {
  const { page, context } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await start(page, url, 'schiffskrieg', 'midway-1942');
  const [mine, game] = [await side(page), page.url()];
  await page.goto(`${url}/#/`);
  const card = page.locator('.running li', { hasText: 'Midway' });
  await expect(card).toContainText(`as ${mine}`);
  await expect(card).toContainText(/Your turn|Waiting for/);
  await shot(page, 'your-games');
  await card.getByRole('button', { name: /Copy the link to your seat/ }).click();
  await expect(page.getByText(/Link to your seat in .* copied/)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await card.getByRole('link', { name: /Resume/ }).click();
  await expect(page.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  expect(page.url()).toBe(game);
  const { page: elsewhere } = await open();
  await elsewhere.goto(link);
  await expect(elsewhere.locator('.seats li', { hasText: '(you)' }).locator('b')).toHaveText(mine);
  // Removed, it is no longer listed.
  await page.goto(`${url}/#/`);
  await card.getByRole('button', { name: /Remove/ }).click();
  await expect(card).toHaveCount(0);
});

test('after a game: rematch, the other side, the next scenario', async ({ url, open, shot }) => {
  const { page } = await open();
  await start(page, url, 'schiffskrieg', 'midway-1942');
  const mine = await side(page);
  await resign(page);
  await expect(page.locator('.outcome').getByRole('button', { name: /Next scenario:/ })).toBeVisible();
  await shot(page, 'after-game');
  await page.locator('.outcome').getByRole('button', { name: 'Rematch', exact: true }).click();
  await expect(page.locator('.outcome')).toHaveCount(0);
  await expect(page.locator('.seats li', { hasText: '(you)' }).locator('b')).toHaveText(mine);
  await resign(page);
  await page.locator('.outcome').getByRole('button', { name: 'Play the other side' }).click();
  await expect(page.locator('.outcome')).toHaveCount(0);
  await expect(page.locator('.seats li', { hasText: '(you)' }).locator('b')).not.toHaveText(mine);
  await resign(page);
  const before = await title(page);
  const next = page.locator('.outcome').getByRole('button', { name: /Next scenario:/ });
  const name = (await next.innerText()).replace(/^Next scenario: /, '');
  await next.click();
  await expect(page.locator('.outcome')).toHaveCount(0);
  expect(before).not.toContain(name);
  await expect(page.locator('.bar h1')).toContainText(name.split(' (')[0]);
  // The first page offers the same for finished games.
  await page.goto(`${url}/#/`);
  await page.locator('.finished summary').click();
  await page.locator('.finished li').first().getByRole('button', { name: 'Rematch', exact: true }).click();
  await expect(page.locator('main.game')).toBeVisible();
});
