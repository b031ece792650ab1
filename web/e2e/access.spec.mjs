import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ask, atRest, create, scenario } from './help.mjs';
import { expect, test } from './fixtures.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds. */
async function barriers(page) {
  // Evaluated through the debugger, so that the page's own policy stays as strict as it is.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map(
    (one) =>
      `${one.id}: ${one.help}\n    ${one.nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join('\n    ')}`,
  );
}

/** The projects run this light and dark, wide and on a phone. */
test('axe finds nothing on any page', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })),
  });
  const sat = async (system, wanted, seats = ['human', 'computer']) => {
    const one = await scenario(url, system, wanted);
    const made = await create(url, {
      system,
      scenario: one.id,
      dice: 'seeded',
      seed: '7',
      seats: seats.map((kind) => (kind === 'human' ? { kind } : { kind, player: 'greedy' })),
    });
    return `${made.game}${made.seats[0]?.token ? `?token=${made.seats[0].token}` : ''}`;
  };
  // A finished game, for its own page, its replay and the page on its luck.
  const ended = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    dice: 'seeded',
    seed: '3',
    seats: found.seats.map(() => ({ kind: 'human' })),
  });
  const { token } = ended.seats[0];
  await fetch(`${url}/api/games/${ended.game}/resign`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const [puzzle, airborne] = await Promise.all(
    ['schiffskrieg', 'dogfite'].map(async (system) => {
      const response = await fetch(`${url}/api/systems/${system}/puzzles`);
      return (await response.json())[0];
    }),
  );
  // A referee's table with forces on it, and one in the middle of a ruling.
  const tabled = async (...deeds) => {
    const made = await create(url, { system: 'fleet-action', scenario: 'table', seats: [{ kind: 'human' }] });
    const seat = made.seats.find((one) => one.token);
    for (const [at, value] of deeds.entries()) {
      const state = await ask(url, made.game, seat.token);
      await ask(url, `${made.game}/answer`, seat.token, { id: `deed-${at}`, at: state.situation.at, value });
    }
    return `table/${made.game}?token=${seat.token}`;
  };
  const strait = { do: 'scenario', scenario: 'denmark-strait' };
  const salvo = {
    do: 'act',
    act: 'salvo',
    cast: { shooter: ['bismarck'], target: ['hood'] },
    part: '0',
    facts: {},
  };
  // Each page with what is there once it has loaded.
  const places = [
    ['', '.go button'],
    [`game/${game.game}?token=${game.seats[0].token}`, '.question'],
    [`game/${await sat('carrier-strike', 'coral-sea')}`, '.question'],
    [`game/${await sat('dogfite', 'verdun-1916')}`, '.question'],
    [`game/${await sat('schiffskrieg', 'ironbottom-1942')}`, '.question'],
    [`game/${ended.game}?token=${token}`, '.outcome'],
    [`game/${ended.game}?at=0`, '[data-piece]'],
    [`luck/${ended.game}?token=${token}`, '.verdict'],
    ['referee/schiffskrieg/combat-round', '.ruling .object'],
    ['odds/schiffskrieg/attack', '.plots figure'],
    ['table', '.systems button'],
    [await tabled(strait), '.picker button'],
    [await tabled(strait, salvo), '#table-dice'],
    ['rules', 'main a[href^="#/rules/"]'],
    ['rules/schiffskrieg', 'article h2'],
    ['puzzles', 'main li.card'],
    ['puzzles/schiffskrieg', '.list li'],
    [`puzzles/schiffskrieg/${puzzle.id}`, '.right label'],
    [`puzzles/dogfite/${airborne.id}`, '.right label'],
    ['learn', 'main a[href^="#/learn/"]'],
    ['learn/dogfite', '.lesson'],
    ['learn/fleet-action', '.lesson'],
    ['records', 'main textarea'],
    ['account', 'main form'],
    ['about', 'main dl, main table, main p'],
    ['no-such-page', 'main h1'],
  ];
  const all = [];
  // Nobody is signed in.
  const { page } = await open({ provoked: /\/api\/me$/ });
  for (const [at, [place, loaded]] of places.entries()) {
    await page.goto(`${url}/#/${place}`);
    await expect(page.locator(loaded).first()).toBeVisible({ timeout: 120_000 });
    await atRest(page);
    await shot(page, `${at}-${place.split(/[/?]/)[0] || 'home'}`);
    for (const one of await barriers(page)) all.push(`#/${place}: ${one}`);
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
    );
    if (wide) all.push(`#/${place}: the page is wider than the window`);
  }
  expect(all).toEqual([]);
});

test('axe finds nothing with a hint, the odds, a rule and a battle report open', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    dice: 'seeded',
    seed: '17',
    seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })),
  });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  const button = (name) => page.getByRole('button', { name, exact: true });
  const look = async (what) => {
    await atRest(page);
    await shot(page, `open-${what}`);
    expect(await barriers(page), what).toEqual([]);
  };
  await button('Odds').click();
  await expect(page.locator('.odds')).toBeVisible();
  await look('odds');
  await button('Hint').click();
  await expect(page.locator('.advice tbody tr').first()).toBeVisible();
  await look('hint');
  await page.locator('.question a.rule').first().click();
  await expect(page.getByRole('dialog', { name: 'Rules' }).locator('article')).toBeVisible();
  await look('rules');
  await page.keyboard.press('Escape');
  await page.locator('.question .actions .primary').click();
  const report = button('Battle report');
  await expect(report).toBeVisible({ timeout: 60_000 });
  await report.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('report');
});
