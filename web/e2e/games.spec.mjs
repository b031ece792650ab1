import { readFile } from 'node:fs/promises';
import {
  answer,
  ask,
  atRest,
  cable,
  create,
  middle,
  moved,
  playOut,
  scenario,
  standing,
  stirs,
} from './help.mjs';
import { expect, test } from './fixtures.mjs';

/** Two windows play a game by link; one loses its connection for a while; both see the same end. */
async function twoWindows({ url, open, shot }, system, wanted) {
  const found = await scenario(url, system, wanted);
  expect(found, `${system} has a scenario`).toBeTruthy();
  const game = await create(url, {
    system,
    scenario: found.id,
    seats: found.seats.map((_, at) => ({ kind: 'human', name: at === 0 ? 'Ann' : 'Bob' })),
  });
  const line = await cable(url);
  const windows = [];
  for (const [at, seat] of game.seats.entries()) {
    const { page, context } = await open();
    await page.goto(`${at === 0 ? url : line.url}/#/game/${game.game}?token=${seat.token}`);
    await expect(page.locator('main.game')).toBeVisible();
    windows.push({ page, context });
  }
  const [ann, bob] = windows;
  const pages = windows.map((one) => one.page);
  await shot(ann.page, `${system}-first`);
  // One connection is cut, the other player goes on, the connection returns: nothing may be lost.
  line.cut();
  await expect(bob.page.locator('.cut')).toBeVisible();
  if ((await standing(ann.page)) === 'asked') await answer(ann.page);
  line.mend();
  await expect(bob.page.locator('.cut')).toHaveCount(0);
  await playOut(pages, {
    each: async (answers, page) => {
      if (answers === 4) await shot(page, `${system}-middle`);
    },
  });
  const ends = await Promise.all(pages.map((page) => page.locator('.outcome h2').innerText()));
  expect(ends[0]).toBe(ends[1]);
  const logs = await Promise.all(pages.map((page) => page.locator('.log > li .text').allInnerTexts()));
  expect(logs[0], 'nothing lost and nothing doubled').toEqual(logs[1]);
  expect(logs[0].length).toBeGreaterThan(3);
  await shot(ann.page, `${system}-end`);
  line.close();
  return { windows, game };
}

/** A whole battle of Schiffskrieg by link, then its replay. */
test('Schiffskrieg in two windows', async ({ url, open, shot }) => {
  const { windows, game } = await twoWindows({ url, open, shot }, 'schiffskrieg');
  const { page } = windows[0];
  await page.getByRole('button', { name: 'Replay from the start' }).click();
  await expect(page.getByText(/Step 0 of/)).toBeVisible();
  await page.getByRole('button', { name: 'Next step' }).click();
  await expect(page.getByText(/Step 1 of/)).toBeVisible();
  // A spectator may open any step by its address.
  const { page: watcher } = await open();
  await watcher.goto(`${url}/#/game/${game.game}?at=2`);
  await expect(watcher.getByText(/Step 2 of/)).toBeVisible();
  await expect(watcher.locator('[data-piece]').first()).toBeVisible();
});

/** A whole carrier duel, with everything that is hidden in it. */
test('Carrier Strike in two windows', async ({ url, open, shot }) => {
  await twoWindows({ url, open, shot }, 'carrier-strike');
});

/** A whole dogfight over the hexes. */
test('Dogfite! in two windows', async ({ url, open, shot }) => {
  await twoWindows({ url, open, shot }, 'dogfite');
});

/** A ground battle, an air battle and two naval battles, one of them with secret tasks. */
for (const battle of ['rzhev-1942', 'malta-1942', 'coral-sea-1942', 'surigao-1944']) {
  test(`A World at War in two windows: ${battle}`, async ({ url, open, shot }) => {
    await twoWindows({ url, open, shot }, 'world-at-war', battle);
  });
}

/** A duel of two ships, and a night battle with contact markers and torpedoes. */
for (const battle of ['kormoran', 'savo-island']) {
  test(`Fleet Action in two windows: ${battle}`, async ({ url, open, shot }) => {
    await twoWindows({ url, open, shot }, 'fleet-action', battle);
  });
}

/** At one keyboard a curtain hides the board of the other player. */
test('a curtain falls between two players at one keyboard', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(`${url}/#/?system=schiffskrieg`);
  await page.getByText('One keyboard').click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('.curtain')).toBeVisible();
  await expect(page.locator('[data-piece]')).toHaveCount(0);
  await shot(page, 'curtain');
  let curtains = 0;
  for (let turn = 0; turn < 300; turn++) {
    const now = await standing(page);
    if (now === 'over') break;
    if (now === 'curtain') {
      curtains += 1;
      await expect(page.locator('.question')).toHaveCount(0);
      await page.locator('.curtain button').click();
    } else if (now === 'asked') await answer(page);
    else await stirs(page);
  }
  expect(await standing(page)).toBe('over');
  expect(curtains).toBeGreaterThanOrEqual(2);
});

/** Real dice are requested by number and kind, and typed in. */
test('real dice are typed in', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    dice: 'typed',
    seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })),
  });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await expect(page.locator('main.game')).toBeVisible();
  let typed = 0;
  for (let turn = 0; turn < 300 && typed < 4; turn++) {
    const now = await standing(page);
    if (now === 'over') break;
    if (now === 'asked') await answer(page);
    else if (now === 'dice') {
      const text = await page.locator('.typed h2').innerText();
      const count = Number(/^(\d+)/.exec(text)[1]);
      if (typed === 0) await shot(page, 'typed-dice');
      await page.locator('#typed-faces').fill(Array.from({ length: count }, (_, at) => 1 + (at % 6)).join(' '));
      const at = await page.locator('.typed').getAttribute('data-at');
      await page.getByRole('button', { name: 'Enter the dice' }).click();
      await moved(page, at, '.typed');
      typed += 1;
    } else await stirs(page);
  }
  expect(typed, 'dice were asked for').toBeGreaterThanOrEqual(1);
  await expect(page.locator('.log .die').first(), 'the log shows them as dice').toBeVisible();
});

/** Dragging a piece to another shows the attack first; its odds are exact; the log proves the result. */
test('a drag aims, odds are exact, the log proves the result', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })),
  });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await expect(page.locator('.piece.lit').first()).toBeVisible();
  await atRest(page);
  const [fromX, fromY] = await middle(page.locator('[data-piece="hood"] .touch'));
  const [toX, toY] = await middle(page.locator('[data-piece="scharnhorst"] .touch'));
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(fromX, fromY - 30, { steps: 3 });
  await page.mouse.move(toX, toY, { steps: 5 });
  await expect(page.locator('.arrow.aim'), 'the drag is drawn').toHaveCount(1);
  await page.mouse.up();
  await expect(page.locator('.arrow.aim'), 'and becomes an arrow').toHaveCount(1);
  await expect(page.locator('li', { hasText: 'Hood' }).locator('select option:checked')).toHaveText(/Scharnhorst/);
  await page.getByRole('button', { name: 'Odds', exact: true }).click();
  await expect(page.locator('.odds .bars').first()).toBeVisible();
  await expect(page.locator('.odds')).toHaveText(/%[\s\S]*\d+\/\d+/, { useInnerText: true });
  await shot(page, 'odds-in-game');
  // The page says that the answer cannot be taken back; the verb gives it.
  await expect(page.getByText('This cannot be taken back.')).toBeVisible();
  const at = await page.locator('.question').getAttribute('data-at');
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await moved(page, at);
  const line = page.locator('.log details', { hasText: 'Hood attacks' }).first();
  await line.locator('summary').click();
  // The proof names its rules, and dice are drawn as dice.
  await expect(line.locator('a[href^="#/rules/schiffskrieg/"]').first()).toBeVisible();
  await expect(line.locator('.die').first()).toBeVisible();
  // The table is drawn whole, with the row and column that were read lit.
  await expect(line.locator('td.cell').first()).toBeVisible();
  expect(await line.locator('figure tbody tr').count()).toBeGreaterThan(1);
  await shot(page, 'proof');
});

/** An invitation from the first page leads to the other seat, once; the rematch swaps sides for both. */
test('a friend joins by invitation and plays a rematch', async ({ url, open, shot }) => {
  const { page: ann } = await open();
  await ann.goto(`${url}/#/?system=schiffskrieg`);
  await ann.getByText('A friend', { exact: true }).click();
  await ann.getByRole('button', { name: 'Make the invitation' }).click();
  await expect(ann.locator('.link input').first()).toBeVisible();
  const links = await ann.locator('.link input').evaluateAll((fields) => fields.map((field) => field.value));
  expect(links).toHaveLength(1);
  await ann.getByRole('link', { name: 'Go to your seat' }).click();
  await expect(ann.locator('main.game')).toBeVisible();
  // The friend confirms before the seat is taken.
  const { page: bob } = await open();
  await bob.goto(links[0]);
  await shot(bob, 'invitation');
  await bob.getByRole('button', { name: 'Take the seat' }).click();
  await expect(bob.locator('main.game')).toBeVisible();
  const bare = /\/#\/game\/[\w-]+\?seat=[01]$/;
  for (const page of [ann, bob]) await expect(page, 'no secret in the address').toHaveURL(bare);
  await bob.reload();
  await expect(bob.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  // In another browser a used invitation leads nowhere; in the browser that used it, to the seat.
  const { page: eve } = await open({ provoked: /\/take$/ });
  await eve.goto(links[0]);
  await eve.getByRole('button', { name: 'Take the seat' }).click();
  await expect(eve.getByText('This invitation has been used')).toBeVisible();
  await bob.goto(links[0]);
  await expect(bob.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  // Both browsers have added random numbers automatically.
  await ann.getByRole('tab', { name: 'Game' }).click();
  await expect(ann.getByText('Both players added random numbers.')).toBeVisible();
  await shot(ann, 'dice-line');
  const side = (page) => page.locator('.seats li', { hasText: '(you)' }).locator('b').innerText();
  const [a, b] = [await side(ann), await side(bob)];
  expect(a).not.toBe(b);
  await bob.getByRole('tab', { name: 'Chat' }).click();
  await bob.getByPlaceholder('Message').fill('Good luck');
  await bob.getByRole('button', { name: 'Send', exact: true }).click();
  await ann.getByRole('tab', { name: 'Chat (1)' }).click();
  await expect(ann.getByText('Good luck')).toBeVisible();
  await bob.getByRole('tab', { name: 'Game' }).click();
  await bob.getByRole('button', { name: 'Resign' }).click();
  await bob.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(ann.locator('.outcome')).toBeVisible();
  await ann.locator('.outcome').getByRole('button', { name: 'Play the other side' }).click();
  await expect(ann.locator('.outcome')).toHaveCount(0);
  await bob.getByRole('button', { name: 'Take your seat in the rematch' }).click();
  await expect(bob.locator('.outcome')).toHaveCount(0);
  await expect(bob.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  await expect(ann.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  expect([await side(ann), await side(bob)]).toEqual([b, a]);
});

/** The forces of a custom battle are saved as a scenario file, once they are known. */
test('custom forces are saved as a scenario', async ({ url, open }) => {
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: 'custom',
    seats: [
      { kind: 'human', name: 'Ann' },
      { kind: 'computer', player: 'greedy' },
    ],
    dice: 'seeded',
    seed: '3',
  });
  const { page } = await open({ provoked: /\/scenario\?/ });
  await page.goto(`${url}${game.seats[0].link}`);
  await expect(page.locator('.question')).toBeVisible();
  const save = async (title) => {
    await page.getByRole('tab', { name: 'Game' }).click();
    await page.getByRole('button', { name: 'Save the forces as a scenario' }).click();
    await page.getByLabel('Scenario title').fill(title);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await save('Too early');
  await expect(page.getByText('The forces have not been picked yet')).toBeVisible();
  await page.reload();
  await answer(page);
  await expect(page.locator('.question')).toBeVisible();
  const file = page.waitForEvent('download');
  await save('Night off Savo!');
  const saved = await file;
  expect(saved.suggestedFilename()).toBe('scenarios-night-off-savo.toml');
  const text = await readFile(await saved.path(), 'utf8');
  expect(text).toMatch(/id = "night-off-savo"/);
  expect(text).toMatch(/\[\[scenario\.faction\.unit\]\]/);
});

/** A secret answer is taken back while the other one is out, and no longer. */
test('an answer is taken back until the other side has answered too', async ({ url, open }) => {
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: 'midway-1942',
    dice: 'seeded',
    seed: '3',
    seats: [
      { kind: 'human', name: 'Ann' },
      { kind: 'human', name: 'Bob' },
    ],
  });
  const { page } = await open();
  await page.goto(`${url}${game.seats[0].link}`);
  const takeBack = page.getByRole('button', { name: 'Take back', exact: true }).and(page.locator(':enabled'));
  await expect(page.locator('#asked .prompt')).toBeVisible();
  const prompt = await page.locator('#asked .prompt').innerText();
  await expect(takeBack).toHaveCount(0);
  await answer(page);
  await expect(page.locator('.question')).toHaveCount(0);
  await takeBack.first().click();
  await expect(page.locator('#asked .prompt')).toHaveText(prompt);
  await expect(takeBack).toHaveCount(0);
  await answer(page);
  await expect(takeBack.first()).toBeVisible();
  const { token } = game.seats[1];
  const { situation } = await ask(url, game.game, token);
  const { value } = situation.question.options[0];
  await ask(url, `${game.game}/answer`, token, { id: 'other', at: situation.at, value });
  await expect(takeBack).toHaveCount(0);
});
