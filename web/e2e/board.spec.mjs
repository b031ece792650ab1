// Short looks at what the board and the question offer, one at a time.
import { PHONE } from './browser.mjs';
import { expect, test } from './fixtures.mjs';
import { address, atRest, create, middle, people, until } from './help.mjs';

const DESK = { viewport: { width: 1440, height: 900 } };

/** Opens a game of two people at the first question that the test wants. */
async function seated(url, open, [system, scenario, wanted, seed = '5'], options = DESK) {
  const game = await create(url, { system, scenario, dice: 'seeded', seed, seats: people({ seats: [0, 1] }) });
  const codes = new Set();
  const met = await until(url, game, (question) => codes.add(question.prompt.code) && wanted(question));
  expect(met, `the question is among ${[...codes]}`).not.toBeNull();
  const { page } = await open(options);
  await page.goto(address(url, game, met.seat));
  await expect(page.locator('.question')).toBeVisible();
  await atRest(page);
  return { page, game, ...met };
}
const coded = (code) => ({ prompt }) => prompt.code === code;

/** Drags from one point to another, and lets go. */
async function dragged(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
}

test("a carrier's deck is opened, and a squadron is dragged out to launch", async ({ url, open, shot }) => {
  const { page, state } = await seated(url, open, ['carrier-strike', 'coral-sea', coded('choose-action')]);
  const deck = state.situation.scene.decks[0];
  await page.mouse.click(...(await middle(page.locator(`[data-piece="${deck.piece}"] .touch`).first())));
  await expect(page.locator('.deck')).toContainText(deck.aboard[0].name);
  const berth = page.locator('.deck .berth.grab').first();
  const from = await middle(berth);
  const carrier = await middle(page.locator(`[data-piece="${deck.piece}"] .touch`).first());
  await dragged(page, from, [carrier[0] + 30, carrier[1] - 140]);
  await expect(page.locator('.foreseen').first(), 'what the launch means stands at the pointer').toBeVisible();
  await shot(page, 'deck-drag');
  await page.mouse.up();
  const give = page.locator('.strip .give');
  await expect(give).toBeEnabled();
  await expect(give).toContainText(/Launch/);
  const given = page.waitForResponse((response) => response.url().endsWith('/answer'));
  await give.click();
  expect((await given).ok()).toBe(true);
});

test('the chance to be found or hit stands under the pointer while a piece is dragged', async ({ url, open, shot }) => {
  const { page } = await seated(url, open, ['schiffskrieg', 'midway-1942', coded('declare-attacks')]);
  const [from, to] = [page.locator('[data-piece].grab .touch').first(), page.locator('[data-piece].target .touch').first()];
  const target = (await to.count()) > 0 ? to : page.locator('.side-second[data-piece] .touch').first();
  await dragged(page, await middle(from), await middle(target));
  await expect(page.locator('.foreseen')).toContainText(/\d+ ?%|chance|hit/i);
  await shot(page, 'drag-chance');
  await page.mouse.up();
});

test('the small tables stand beside the secret questions', async ({ url, open }) => {
  const { page, question } = await seated(url, open, [
    'carrier-strike',
    'coral-sea',
    ({ prompt }) => (prompt.tables ?? []).length > 0,
  ]);
  await expect(page.locator('.question table').first()).toBeVisible();
  expect(question.prompt.tables.length).toBeGreaterThan(0);
  await expect(page.locator('.question .scroll[role=region]')).toHaveCount(question.prompt.tables.length);
});

for (const [where, options] of [['desk', DESK], ['phone', PHONE]])
  test(`of many options at most fifteen are seen at once, and a question starts at its top, on a ${where}`, async ({ url, open }) => {
    const many = (question) => question.form.kind === 'pick' && question.options.length > 20;
    const { page } = await seated(url, open, ['dogfite', 'verdun-1916', many], options);
    const listed = page.locator('.question .list .option:visible');
    expect(await listed.count()).toBeLessThanOrEqual(15);
    const scrolled = () =>
      page.locator('.ask, .right').evaluateAll((all) => all.map((one) => Math.round(one.scrollTop)));
    const at = await page.locator('.question').getAttribute('data-at');
    await page.locator('.right, .ask').evaluateAll((all) => all.forEach((one) => (one.scrollTop = 900)));
    await page.getByRole('button', { name: 'Hint', exact: true }).click();
    await expect(page.locator('.advice')).toBeVisible();
    await page.locator('.right, .ask').evaluateAll((all) => all.forEach((one) => (one.scrollTop = 900)));
    await page.locator('.question .actions .primary').click();
    await expect(page.locator(`.question[data-at="${at}"]`)).toHaveCount(0);
    await expect(page.locator('.question, .waiting').first()).toBeVisible();
    if ((await page.locator('.question').count()) > 0) expect(await scrolled()).toEqual([0, 0]);
  });

test('suggested attacks are taken and one of them is changed', async ({ url, open }) => {
  const { page } = await seated(url, open, ['schiffskrieg', 'force-de-raid-1939', coded('declare-attacks')]);
  await page.locator('.plans').getByRole('button', { name: /Suggested attacks/ }).click();
  const chosen = () => page.locator('.question select').evaluateAll((all) => all.map((one) => one.value));
  const before = await chosen();
  expect(before.some((value) => value !== '')).toBe(true);
  const select = page.locator('.question select').first();
  const other = await select.evaluate((one) => [...one.options].find((option) => option.value !== one.value).value);
  await select.selectOption(other);
  const after = await chosen();
  expect(after.filter((value, at) => value !== before[at])).toHaveLength(1);
  const given = page.waitForResponse((response) => response.url().endsWith('/answer'));
  await page.locator('.question .actions .primary').click();
  expect((await given).ok()).toBe(true);
});
