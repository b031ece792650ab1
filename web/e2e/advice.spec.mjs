import { expect, test } from './fixtures.mjs';
import { address, ask, create, people, scenario, until } from './help.mjs';

const rows = (page) => page.locator('.advice tbody tr').allInnerTexts();
const hintButton = (page) => page.getByRole('button', { name: 'Hint', exact: true });

test('a hint asked twice ranks alike, with chances and without ids', async ({ url, open, shot }) => {
  for (const [system, id, code] of [
    ['schiffskrieg', 'midway-1942', 'declare-attacks'],
    ['carrier-strike', 'coral-sea', 'choose-action'],
  ]) {
    const seats = people({ seats: [0, 1] });
    const game = await create(url, { system, scenario: id, dice: 'seeded', seed: '5', seats });
    const met = await until(url, game, (question) => question.prompt.code === code);
    const { page } = await open();
    await page.goto(address(url, game, met.seat));
    await hintButton(page).click();
    await expect(page.locator('.advice tbody tr').first()).toBeVisible();
    const first = await rows(page);
    await shot(page, `advice-${system}`);
    await page.locator('.advice').getByRole('button', { name: 'close' }).click();
    await page.reload();
    await hintButton(page).click();
    await expect(page.locator('.advice tbody tr').first()).toBeVisible();
    expect(await rows(page)).toEqual(first);
    await expect(page.locator('.advice tbody tr').first(), 'the hint comes first').toHaveClass(/best/);
    const chances = first.map((row) => Number(row.match(/(\d+)% \(±\d+\)/)?.[1]));
    expect(chances.every(Number.isFinite), first.join('\n')).toBe(true);
    expect(chances, 'sorted by chance').toEqual([...chances].sort((a, b) => b - a));
    const text = await page.locator('.advice').innerText();
    expect(text, 'no JSON and no id').not.toMatch(/[{}[\]"]|\b[rb]r?\d\b|_/);
    expect(text, 'no raw coordinates').not.toMatch(/-?\d{3,}, -?\d{3,}/);
  }
});

/** A question of each system at which the admiral weighs several answers. */
const WEIGHED = [
  ['schiffskrieg', 'force-de-raid-1939', 'declare-attacks'],
  ['carrier-strike', 'hiryu-alone', 'choose-action'],
  ['dogfite', 'hawker-1916', 'move'],
  ['fleet-action', 'kormoran', 'orders'],
  ['world-at-war', 'rzhev-1942', 'option'],
];

for (const [system, id, code] of WEIGHED)
  test(`a hint of ${system} asked twice ranks alike, and is not below its alternatives`, async ({ url, open }) => {
    const game = await create(url, { system, scenario: id, dice: 'seeded', seed: '5', seats: people({ seats: [0, 1] }) });
    const codes = new Set();
    const met = await until(url, game, ({ prompt }) => codes.add(prompt.code) && prompt.code === code);
    expect(met, `${code} among ${[...codes]}`).not.toBeNull();
    const { page } = await open();
    await page.goto(address(url, game, met.seat));
    await hintButton(page).click();
    const advised = page.locator('.advice tbody tr');
    await expect(advised.first()).toBeVisible({ timeout: 60_000 });
    const first = await rows(page);
    const chances = first.flatMap((row) => row.match(/(\d+)% \(±\d+\)/)?.[1] ?? []).map(Number);
    expect(chances, first.join('\n')).toEqual([...chances].sort((a, b) => b - a));
    await expect(advised.first(), 'the hint comes first').toHaveClass(/best/);
    expect(first.join('\n'), 'no JSON').not.toMatch(/[{}[\]"_]/);
    await page.reload();
    await hintButton(page).click();
    await expect(advised.first()).toBeVisible({ timeout: 60_000 });
    expect(await rows(page)).toEqual(first);
    // The hint that is followed is the answer that the button gives.
    const given = page.waitForResponse((response) => response.url().endsWith('/answer'));
    await page.locator('.question .actions .primary').click();
    expect((await given).ok(), 'the hint is taken').toBe(true);
  });

test('hints are off between people, unless both agree', async ({ url, open }) => {
  const found = await scenario(url, 'schiffskrieg');
  for (const [offer, agree] of [
    [false, false],
    [true, false],
    [true, true],
  ]) {
    const { page: ann } = await open();
    await ann.goto(`${url}/#/?system=schiffskrieg&scenario=${found.id}`);
    await ann.getByText('A friend', { exact: true }).click();
    if (offer) await ann.getByLabel(/may ask for hints/).check();
    await ann.getByRole('button', { name: 'Make the invitation' }).click();
    const link = await ann.locator('.link input').first().inputValue();
    await ann.getByRole('link', { name: 'Go to your seat' }).click();
    const { page: bob } = await open();
    await bob.goto(link);
    const box = bob.getByLabel(/I agree that both players may ask/);
    await expect(box).toHaveCount(offer ? 1 : 0);
    if (agree) await box.check();
    await bob.getByRole('button', { name: 'Take the seat' }).click();
    const asked = async () => {
      const counts = await Promise.all([ann, bob].map((page) => page.locator('.question').count()));
      return [ann, bob].filter((_, at) => counts[at] > 0);
    };
    await expect.poll(async () => (await asked()).length).toBeGreaterThan(0);
    for (const page of await asked()) {
      if (offer && agree) await expect(hintButton(page)).toBeEnabled();
      else await expect(hintButton(page)).toHaveCount(0);
    }
  }
});

test('the record names who used a hint, and the opponent sees it', async ({ url, open }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, dice: 'seeded', seats: people(found) });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await expect(page.locator('.question, .waiting').first()).toBeVisible();
  const seat = (await page.locator('.question').count()) > 0 ? 0 : 1;
  if (seat === 1) await page.goto(address(url, game, 1));
  await hintButton(page).click();
  await expect(page.locator('.advice')).toBeVisible();
  const { page: other } = await open();
  await other.goto(address(url, game, 1 - seat));
  await expect(other.locator('.seats li', { hasText: '1 hint' })).toHaveCount(1);
  await ask(url, `${game.game}/resign`, game.seats[0].token, {});
  const record = await (
    await fetch(`${url}/api/games/${game.game}/export`, { headers: { Authorization: `Bearer ${game.seats[0].token}` } })
  ).text();
  await other.goto(`${url}/#/records`);
  const buffer = Buffer.from(record);
  await other.locator('input[type=file]').setInputFiles({ name: 'a.flagplot', mimeType: 'text/plain', buffer });
  await other.getByRole('button', { name: 'Verify' }).click();
  await expect(other.getByText(`Seat ${seat + 1} asked for a hint, before entry 1.`)).toBeVisible();
});

test('the levels have a line each, and engines are behind More', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(`${url}/#/`);
  for (const [name, line] of [
    ['Recruit', /For a first game/],
    ['Officer', /Once you know the rules/],
    ['Admiral', /The strongest/],
  ])
    await expect(page.locator('.levels label', { hasText: name }).first()).toHaveText(line);
  await expect(page.locator('.levels').getByText('Greedy', { exact: true })).not.toBeVisible();
  await page.locator('.levels summary').click();
  await page.locator('.levels').getByText('Greedy', { exact: true }).click();
  await expect(page.locator('.go')).toContainText('Greedy');
  await shot(page, 'levels');
});
