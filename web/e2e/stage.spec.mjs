import fs from 'node:fs/promises';
import { expect, test } from './fixtures.mjs';
import { address, ask, create, moved, people, primary, send, until } from './help.mjs';

/** A battle in which the next answer of a seat makes ships fire. */
async function armed(url) {
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: 'midway-1942',
    dice: 'seeded',
    seed: '3',
    seats: people({ seats: [0, 1] }),
  });
  const met = await until(url, game, (question) => question.prompt.code === 'declare-attacks');
  return { game, met };
}

/** Opens the page of a seat that declares attacks, and names attacks through the first plan. */
async function declare(page) {
  const at = await page.locator('.question').getAttribute('data-at');
  const plan = page.locator('.plans button').first();
  if (!(await plan.isVisible())) await page.locator('.plans summary').click();
  await plan.click();
  await send(page);
  await moved(page, at);
}

/** Lets the other seat declare too, through the API, so that the attacks are carried out. */
async function other(url, game, seat) {
  const { token } = game.seats[1 - seat];
  const state = await ask(url, game.game, token);
  if (!state.situation.question) return;
  const hint = await ask(url, `${game.game}/hint`, token, { player: 'greedy' });
  await ask(url, `${game.game}/answer`, token, { id: 'other', at: state.situation.at, value: hint.value });
}

const beat = (page) => page.locator('.stage .beat');

test('a battle is shown attack by attack, and a key ends the showing', async ({ url, open, shot }) => {
  const { game, met } = await armed(url);
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await declare(page);
  await other(url, game, met.seat);
  // The arrow from the attacker to its target, with the dice and the words of the log.
  await expect(page.locator('[data-volley] .shot').first()).toBeVisible();
  await expect(beat(page)).toContainText(/attacks/);
  await expect(beat(page).locator('.die').first()).toBeVisible();
  await expect(beat(page).getByRole('button', { name: /Skip \d+ of \d+/ })).toBeVisible();
  await shot(page, 'stage');
  // It goes on by itself.
  const first = await page.locator('[data-volley]').getAttribute('data-volley');
  await expect.poll(() => page.locator('[data-volley]').getAttribute('data-volley')).not.toBe(first);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-volley]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Battle report' })).toBeVisible();
});

test('a click ends the showing and does what it is meant for', async ({ url, open }) => {
  const { game, met } = await armed(url);
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await declare(page);
  await other(url, game, met.seat);
  await expect(page.locator('[data-volley]')).toBeVisible();
  await page.getByRole('tab', { name: 'Game' }).click();
  await expect(page.locator('[data-volley]')).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Game' })).toHaveAttribute('aria-selected', 'true');
});

test('who wants less motion sees the end at once', async ({ url, open }) => {
  const { game, met } = await armed(url);
  const { page } = await open({ reducedMotion: 'reduce' });
  await page.goto(address(url, game, met.seat));
  await declare(page);
  await other(url, game, met.seat);
  // The report is there as soon as the battle is, and nothing was shown before it.
  await expect(page.getByRole('button', { name: 'Battle report' })).toBeVisible();
  await expect(page.locator('[data-volley]')).toHaveCount(0);
});

test('the speed of battles is set once, and off shows none', async ({ url, open }) => {
  const { game, met } = await armed(url);
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByLabel('Show battles').selectOption('off');
  await expect(page.getByLabel('Sound')).not.toBeChecked();
  await page.reload();
  await page.getByRole('tab', { name: 'Game' }).click();
  await expect(page.getByLabel('Show battles')).toHaveValue('off');
  await declare(page);
  await other(url, game, met.seat);
  await expect(page.getByRole('button', { name: 'Battle report' })).toBeVisible();
  await expect(page.locator('[data-volley]')).toHaveCount(0);
});

test('the report has losses, the decisive roll, a picture and a link', async ({ url, open, shot }) => {
  const { game, met } = await armed(url);
  const { page, context } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(address(url, game, met.seat));
  await declare(page);
  await other(url, game, met.seat);
  await expect(page.locator('[data-volley]')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Battle report' }).click();
  const report = page.getByRole('dialog');
  await expect(report.getByRole('heading', { name: 'Battle report' })).toBeVisible();
  await expect(report.locator('.sides section')).toHaveCount(2);
  for (const side of await report.locator('.sides section').all()) await expect(side).toHaveText(/Lost:[\s\S]*Hit:/);
  await expect(report.locator('.decisive .die').first()).toBeVisible();
  await shot(page, 'report');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    report.getByRole('button', { name: 'Save the picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.svg$/);
  const picture = await fs.readFile(await download.path(), 'utf8');
  expect(picture).toMatch(/^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(picture, 'nothing of the page is left in it').not.toMatch(/\s(class|style|tabindex|aria-\w+)=|var\(--/);
  await report.getByRole('button', { name: 'Copy a link to the battle' }).click();
  await expect(report.getByRole('status')).toHaveText('Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\?at=\d+&from=\d+$/);
  expect(link, 'no seat in it').not.toContain('token');
  // A spectator who opens it sees the battle.
  const { page: eve } = await open();
  await eve.goto(link);
  await expect(eve.locator('[data-volley]')).toBeVisible();
});

test('what happened since the last look is played back', async ({ url, open, shot }) => {
  const { game, met } = await armed(url);
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await expect(page.locator('.question')).toBeVisible();
  await page.goto(`${url}/#/about`);
  await expect(page.locator('main.game')).toHaveCount(0);
  // While the page is elsewhere, both seats declare their attacks.
  const { token } = game.seats[met.seat];
  const hint = await ask(url, `${game.game}/hint`, token, { player: 'greedy' });
  await ask(url, `${game.game}/answer`, token, { id: 'away', at: met.state.situation.at, value: hint.value });
  await other(url, game, met.seat);
  await page.goto(address(url, game, met.seat));
  await page.getByRole('button', { name: 'Play back', exact: true }).click();
  await expect(page.locator('[data-volley]')).toBeVisible();
  await expect(beat(page)).toContainText(/attacks/);
  await shot(page, 'playback');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-volley]')).toHaveCount(0);
  if ((await page.locator('.question').count()) > 0) await expect(primary(page)).toBeVisible();
});
