import { address, answer, ask, atRest, create, middle, moved, people, scenario, send, until } from './help.mjs';
import { expect, test } from './fixtures.mjs';

/** Clocks run, players add to the dice, notes are private, draws are offered, declined and accepted. */
test('clocks, entropy, notes and draws', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    seats: people(found),
    clock: { kind: 'per-move', seconds: 600, on_timeout: 'computer' },
  });
  const windows = [];
  for (const seat of [0, 1]) {
    const { page } = await open();
    await page.goto(address(url, game, seat));
    await expect(page.locator('main.game')).toBeVisible();
    await page.getByRole('tab', { name: 'Game' }).click();
    windows.push(page);
  }
  const [ann, bob] = windows;
  const running = ann.locator('.clock.running').first();
  await expect(running).toHaveText(/^(10:00|9:5\d)$/);
  const before = await running.innerText();
  await expect(running).not.toHaveText(before);
  await expect(ann.getByText('Both players added random numbers.')).toBeVisible();
  await ann.getByRole('tab', { name: 'Notes' }).click();
  const kept = ann.waitForResponse((response) => response.url().endsWith('/notes') && response.ok());
  await ann.locator('#notes').fill('Bismarck turns late');
  await kept;
  await ann.reload();
  await ann.getByRole('tab', { name: 'Notes' }).click();
  await expect(ann.locator('#notes')).toHaveValue('Bismarck turns late');
  await bob.getByRole('tab', { name: 'Notes' }).click();
  await expect(bob.locator('#notes'), 'notes are for one seat').toHaveValue('');
  await bob.getByRole('tab', { name: 'Game' }).click();
  await ann.getByRole('tab', { name: 'Game' }).click();
  await ann.getByRole('button', { name: 'Offer a draw' }).click();
  await expect(bob.getByText('Your opponent offers a draw.')).toBeVisible();
  await shot(bob, 'draw-offer');
  await bob.getByRole('button', { name: 'Decline' }).click();
  await ann.getByRole('button', { name: 'Offer a draw' }).click();
  await bob.getByRole('button', { name: 'Accept' }).click();
  await expect(ann.locator('.outcome h2', { hasText: 'draw' })).toBeVisible();
});

/** A player whose time runs out loses, if the clock says so. */
test('a clock runs out', async ({ url, open }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    seats: people(found),
    clock: { kind: 'per-move', seconds: 1, on_timeout: 'lose' },
  });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await expect(page.locator('.outcome')).toBeVisible();
});

/** A finished game can be replayed from any point of view; a running one only from the player's own. */
test('a replay through the eyes of any seat', async ({ url, open, shot }) => {
  const game = await create(url, {
    system: 'carrier-strike',
    scenario: 'first-strike',
    dice: 'seeded',
    seed: '7',
    seats: people({ seats: [0, 1] }),
  });
  await until(url, game, (question) => question.prompt.code === 'choose-action');
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await expect(page.locator('main.game')).toBeVisible();
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(page.getByText(/as seen by Blue/)).toBeVisible();
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(page).toHaveURL(/[?&]at=\d+/);
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await expect(page).not.toHaveURL(/[?&]at=/);
  const at = (await ask(url, game.game, game.seats[0].token)).situation.at;
  await ask(url, `${game.game}/resign`, game.seats[0].token, {});
  await expect(page.locator('.outcome')).toBeVisible();
  // A spectator opens a step as one side knew it, then as the other did.
  const { page: watcher } = await open();
  await watcher.goto(`${url}/#/game/${game.game}?at=${at}&as=0`);
  await expect(watcher.getByText(/as Blue knew it/)).toBeVisible();
  const labels = () =>
    watcher.locator('[data-piece] .touch').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  const blue = await labels();
  await watcher.getByLabel('as seen by').selectOption('1');
  await expect(watcher.getByText(/as Red knew it/)).toBeVisible();
  await expect.poll(labels).not.toEqual(blue);
  await expect(watcher).toHaveURL(/as=1/);
  await shot(watcher, 'replay');
});

/** The analysis of a finished game names its method. */
test('was it me or the dice', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    dice: 'seeded',
    seed: '3',
    seats: people(found),
  });
  await until(
    url,
    game,
    (() => {
      let asked = 0;
      return () => ++asked > 3;
    })(),
  );
  await ask(url, `${game.game}/resign`, game.seats[0].token, {});
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.getByRole('link', { name: 'Was it me or the dice?' }).click();
  await expect(page.locator('.verdict')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Method')).toBeVisible();
  await expect(page.locator('.method')).toContainText('standard errors');
  await expect(page.locator('figure .line'), 'the curve is drawn').toHaveCount(1);
  await shot(page, 'luck');
});

/** Holding a piece over the board previews the move; nothing is sent. */
test('a drag shows the move before it is made', async ({ url, open, shot }) => {
  const air = await create(url, {
    system: 'dogfite',
    scenario: 'verdun-1916',
    dice: 'seeded',
    seed: '5',
    seats: people({ seats: [0, 1] }),
  });
  const met = await until(url, air, (question) => question.prompt.code === 'move' && question.form.kind === 'pick');
  // A turn ends at another edge of the hex ahead, so the spot, not the hex, tells the whole step.
  const turn = met.question.options.find((option) => /^Turn 1/.test(option.label) && option.pieces?.length === 3);
  const [, spot, piece] = turn.pieces;
  const { page } = await open();
  await page.goto(address(url, air, met.seat));
  await expect(page.locator(`[data-piece="${piece}"]`)).toBeVisible();
  await atRest(page);
  await page.mouse.move(...(await middle(page.locator(`[data-piece="${piece}"] .touch`))));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page.locator(`[data-box="${spot}"]`))), { steps: 6 });
  await expect(page.locator(`[data-box="${spot}"].over`)).toBeVisible();
  await expect(page.locator(`[data-ghost="${piece}"]`).first()).toBeVisible();
  await expect(page.locator('.foreseen', { hasText: /edge|Speed/ })).toBeVisible();
  await expect(page.locator('.foreseen')).toHaveText(/^\s*Turn 1/);
  await shot(page, 'dogfite-drag');
  await page.mouse.up();
  expect((await ask(url, air.game, air.seats[0].token)).situation.at, 'nothing is sent').toBe(met.state.situation.at);
  // Only options for this step are listed, the first is chosen, and the button gives the answer.
  await expect(page.locator('.option.chosen')).toHaveCount(1);
  expect(await page.locator('ol.options .option .hidden').count()).toBeGreaterThan(0);
  for (const label of await page.locator('ol.options .option').allInnerTexts()) expect(label).toMatch(/Turn 1|bet/);
  const at = await page.locator('.question').getAttribute('data-at');
  await send(page);
  await moved(page, at);

  const sea = await create(url, {
    system: 'carrier-strike',
    scenario: 'first-strike',
    dice: 'seeded',
    seed: '7',
    seats: people({ seats: [0, 1] }),
  });
  const sailed = await until(
    url,
    sea,
    (question) =>
      question.prompt.code === 'choose-action' &&
      question.form.ways?.some(([name, way]) => way.kind === 'points' && /^move /i.test(name)),
  );
  const [, way] = sailed.question.form.ways.find(([name, one]) => one.kind === 'points' && /^move /i.test(name));
  const { page: chart } = await open();
  await chart.goto(address(url, sea, sailed.seat));
  await expect(chart.locator(`[data-piece="${way.piece}"]`)).toBeVisible();
  await atRest(chart);
  const [x, y] = await middle(chart.locator(`[data-piece="${way.piece}"] .touch`));
  await chart.mouse.move(x, y);
  await chart.mouse.down();
  await chart.mouse.move(x + 10, y - 30, { steps: 4 });
  await chart.mouse.move(x + 20, y - 300, { steps: 4 });
  // It may not go that far: the rule says why.
  await expect(chart.locator('.foreseen .no')).toBeVisible();
  await expect(chart.locator('.ghost')).toHaveCount(1);
  await shot(chart, 'carrier-drag');
  await chart.mouse.up();
});

/** A hint says what the admiral would do, why, and what else was examined; the page shows that it is thinking. */
test('a hint says why', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found) });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await expect(page.locator('.question')).toBeVisible();
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await expect(page.getByRole('button', { name: 'The admiral is thinking…' })).toBeVisible();
  await expect(page.locator('.advice table tbody tr').first()).toBeVisible();
  await expect(page.locator('.advice')).toHaveText(/The admiral would:[\s\S]*±/);
  await shot(page, 'hint');
});

/** A long list is grouped and can be searched; a missing option is explained with a link to the rule. */
test('long lists are searched, missing options are explained', async ({ url, open, shot }) => {
  const game = await create(url, {
    system: 'carrier-strike',
    scenario: 'coral-sea',
    dice: 'seeded',
    seed: '7',
    seats: people({ seats: [0, 1] }),
  });
  const met = await until(
    url,
    game,
    (question) => question.prompt.code === 'choose-action' && question.options.length > 60,
  );
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await expect(page.locator('.question')).toBeVisible();
  expect(await page.locator('details.group').count(), 'there are groups').toBeGreaterThan(1);
  const all = met.question.options.map((option) => option.label);
  const word = all.find((label) => /lands|launch/.test(label))?.match(/lands|launch\w*/)[0] ?? 'NE';
  await page.getByLabel('Search the options').fill(word);
  const found = all.filter((label) =>
    label
      .toLowerCase()
      .split(/[^\p{L}\p{N}-]+/u)
      .some((part) => part.startsWith(word.toLowerCase())),
  );
  await expect(page.locator('.search [role=status]', { hasText: `${found.length} of ${all.length}` })).toBeVisible();
  const shown = await page.locator('ol.options .option').allTextContents();
  expect(shown.length).toBeGreaterThan(0);
  for (const label of shown) expect(label.toLowerCase(), 'only options with the word').toContain(word.toLowerCase());
  await shot(page, 'search');
  await page.locator('.missing summary').click();
  const reason = page.locator('.missing li').first();
  await expect(reason).toBeVisible();
  await expect(reason).toContainText(':');
  const rule = reason.locator('a').first();
  await expect(rule).toHaveAttribute('href', /#\/rules\/carrier-strike\//);
  await shot(page, 'missing');
});

/** Wheel, mouse, keys and two fingers move and zoom the board; Home resets it. */
test('the board moves by mouse, keys and touch', async ({ url, open }) => {
  const game = await create(url, {
    system: 'dogfite',
    scenario: 'verdun-1916',
    dice: 'seeded',
    seed: '5',
    seats: people({ seats: [0, 1] }),
  });
  const { page, context } = await open({ hasTouch: true });
  await page.goto(address(url, game, 0));
  const piece = page.locator('[data-piece]').first();
  await expect(piece).toBeVisible();
  await atRest(page);
  const where = () => piece.evaluate((one) => one.style.transform);
  const start = await where();
  let last = start;
  const changed = async (what) => {
    await expect.poll(where, what).not.toBe(last);
    last = await where();
  };
  const box = await page.locator('.board').boundingBox();
  const [x, y] = [box.x + box.width * 0.3, box.y + box.height * 0.8];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await changed('the wheel zooms');
  await page.mouse.down();
  await page.mouse.move(x + 80, y - 40, { steps: 4 });
  await page.mouse.up();
  await changed('the mouse moves it');
  await page.locator('.board').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await changed('an arrow with Shift moves it');
  await page.keyboard.press('+');
  await changed('a key zooms');
  const session = await context.newCDPSession(page);
  const touch = (type, points) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })),
    });
  await touch('touchStart', [
    [x, y],
    [x + 60, y],
  ]);
  for (let step = 1; step <= 4; step++)
    await touch('touchMove', [
      [x - step * 10, y],
      [x + 60 + step * 10, y],
    ]);
  await touch('touchEnd', []);
  await changed('two fingers zoom');
  await page.locator('.board').focus();
  await page.keyboard.press('Home');
  await expect.poll(where, 'Home shows it as it was').toBe(start);
});

/** A secret choice stays sealed until every player has chosen; the opponent sees nothing of it. */
test('secrets are sealed', async ({ url, open, shot }) => {
  const game = await create(url, {
    system: 'dogfite',
    scenario: 'verdun-1916',
    dice: 'seeded',
    seed: '5',
    seats: people({ seats: [0, 1] }),
  });
  const windows = [];
  for (const seat of [0, 1]) {
    const { page } = await open();
    await page.goto(address(url, game, seat));
    await expect(page.getByText('Sealed question')).toBeVisible();
    windows.push(page);
  }
  const [ann, bob] = windows;
  const before = await bob.locator('main.game').innerText();
  await answer(ann);
  await expect(ann.getByText('Your choice is sealed.')).toBeVisible();
  await shot(ann, 'sealed');
  // A word that Ann sends afterwards arrives after anything that her answer could have told.
  await ann.getByRole('tab', { name: 'Chat' }).click();
  await ann.getByPlaceholder('Message').fill('Done');
  await ann.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(bob.getByRole('tab', { name: 'Chat (1)' })).toBeVisible();
  const after = (await bob.locator('main.game').innerText()).replace('Chat (1)', 'Chat');
  expect(after, 'nothing of it is seen').toBe(before);
  await answer(bob);
  await expect(ann.getByText('Your choice is sealed.')).toHaveCount(0);
  await ann.getByRole('tab', { name: 'Log' }).click();
  await expect(ann.locator('.log > li').first()).toBeVisible();
});

/** With animations off nothing glides, after a reload too. */
test('animations can be turned off', async ({ url, open }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found) });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await expect(page.locator('main.game')).toBeVisible();
  const moves = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.piece')].some(
        (one) =>
          getComputedStyle(one).transitionDuration !== '0s' && getComputedStyle(one).transitionProperty !== 'none',
      ),
    );
  await expect.poll(moves).toBe(true);
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByLabel('Animate events').uncheck();
  await expect.poll(moves).toBe(false);
  await page.reload();
  await expect(page.locator('.piece').first()).toBeVisible();
  await atRest(page);
  expect(await moves(), 'it is kept').toBe(false);
});

/** The page itself stays where it is, whatever is opened on it. */
test('the page never scrolls', async ({ url, open }) => {
  const { page } = await open();
  for (const [system, size] of [
    ['schiffskrieg', { width: 1440, height: 900 }],
    ['dogfite', { width: 1440, height: 900 }],
    ['schiffskrieg', { width: 390, height: 844 }],
  ]) {
    await page.setViewportSize(size);
    const found = await scenario(url, system);
    const seats = found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' }));
    await page.goto(address(url, await create(url, { system, scenario: found.id, seats }), 0));
    const actions = page.locator('.actions');
    await expect(actions).toBeVisible();
    const odds = page.getByRole('button', { name: 'Odds', exact: true });
    await odds.click();
    await expect(page.locator('.odds, .refused').first()).toBeVisible();
    const measured = await page.evaluate(() => [document.documentElement.scrollHeight, window.scrollY]);
    expect(measured, `${system} at ${size.width}`).toEqual([size.height, 0]);
    await expect(page.locator('.board')).toBeInViewport();
    await expect(page.locator('header.top')).toBeInViewport({ ratio: 1 });
    await expect(odds).toBeInViewport();
  }
});
