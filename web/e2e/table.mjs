import assert from 'node:assert/strict';
import { address, answer, ask, create, moved, people, scenario, until } from './help.mjs';

/** Clocks run, words are mixed into the dice, notes stay with their seat, draws are offered, declined and agreed. */
export async function clocksEntropyNotesAndDraws({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found), clock: { kind: 'per-move', seconds: 600, on_timeout: 'computer' } });
  const windows = [];
  for (const seat of [0, 1]) {
    const { page } = await open();
    await page.goto(address(url, game, seat));
    await page.locator('main.game').waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    windows.push(page);
  }
  const [ann, bob] = windows;
  const running = ann.locator('.clock.running').first();
  const before = await running.innerText();
  assert.match(before, /^(10:00|9:5\d)$/);
  await ann.waitForFunction((text) => document.querySelector('.clock.running')?.textContent !== text, before);
  await ann.getByPlaceholder('Words of your own for the dice').fill('the tide is high');
  await ann.getByRole('button', { name: 'Mix in' }).click();
  await ann.getByText('Your own words are mixed in.').waitFor();
  await ann.getByRole('tab', { name: 'Notes' }).click();
  const kept = ann.waitForResponse((response) => response.url().endsWith('/notes') && response.ok());
  await ann.locator('#notes').fill('Bismarck turns late');
  await kept;
  await ann.reload();
  await ann.getByRole('tab', { name: 'Notes' }).click();
  assert.equal(await ann.locator('#notes').inputValue(), 'Bismarck turns late');
  await bob.getByRole('tab', { name: 'Notes' }).click();
  assert.equal(await bob.locator('#notes').inputValue(), '', 'notes are for one seat');
  await bob.getByRole('tab', { name: 'Game' }).click();
  await ann.getByRole('tab', { name: 'Game' }).click();
  await ann.getByRole('button', { name: 'Offer a draw' }).click();
  await bob.getByText('A draw is offered.').waitFor();
  await shot(bob, 'draw-offer');
  await bob.getByRole('button', { name: 'Decline' }).click();
  await ann.getByRole('button', { name: 'Offer a draw' }).click();
  await bob.getByRole('button', { name: 'Accept' }).click();
  await ann.locator('.outcome h2', { hasText: 'draw' }).waitFor();
}

/** Whose time runs out has lost, where that was agreed. */
export async function aClockRunsOut({ url, open }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found), clock: { kind: 'per-move', seconds: 1, on_timeout: 'lose' } });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.locator('.outcome').waitFor();
}

/** Any step of a finished game through anybody's eyes, by its address; of a running one through one's own. */
export async function replayThroughAnybodysEyes({ url, open, shot }) {
  const game = await create(url, { system: 'carrier-strike', scenario: 'first-strike', dice: 'seeded', seed: '7', seats: people({ seats: [0, 1] }) });
  await until(url, game, (question) => question.prompt.code === 'choose-action');
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.locator('main.game').waitFor();
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText(/as known to Blue/).waitFor();
  await page.getByRole('button', { name: 'One step back' }).click();
  await page.waitForFunction(() => /[?&]at=\d+/.test(location.hash));
  await page.getByRole('button', { name: 'Back to the game' }).click();
  assert.doesNotMatch(page.url(), /[?&]at=/);
  const at = (await ask(url, game.game, game.seats[0].token)).situation.at;
  await ask(url, `${game.game}/resign`, game.seats[0].token, {});
  await page.locator('.outcome').waitFor();
  // A stranger opens a step as one side knew it, then as the other did.
  const { page: watcher } = await open();
  await watcher.goto(`${url}/#/game/${game.game}?at=${at}&as=0`);
  await watcher.getByText(/as Blue knew it/).waitFor();
  const blue = await watcher.locator('[data-piece]').evaluateAll((all) => all.map((one) => one.querySelector('.touch').getAttribute('aria-label')));
  await watcher.getByLabel('as known to').selectOption('1');
  await watcher.getByText(/as Red knew it/).waitFor();
  await watcher.waitForFunction((before) => JSON.stringify([...document.querySelectorAll('[data-piece] .touch')].map((one) => one.getAttribute('aria-label'))) !== before, JSON.stringify(blue));
  assert.match(watcher.url(), /as=1/);
  await shot(watcher, 'replay');
}

/** Was it me or the dice: a finished game taken apart, with the method said. */
export async function theDiceOrMe({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, dice: 'seeded', seed: '3', seats: people(found) });
  await until(url, game, (() => { let asked = 0; return () => ++asked > 3; })());
  await ask(url, `${game.game}/resign`, game.seats[0].token, {});
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.getByRole('link', { name: 'Was it me or the dice?' }).click();
  await page.locator('.verdict').waitFor({ timeout: 120_000 });
  await page.getByText('How this was found').waitFor();
  assert.match(await page.locator('.method').innerText(), /standard errors/);
  assert.ok((await page.locator('figure .line').count()) === 1, 'the curve is drawn');
  await shot(page, 'luck');
}

async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** A piece that is held over the board shows where it would be and what that would meet and cost; nothing is sent. */
export async function aDragShowsTheMoveBeforeItIsMade({ url, open, shot }) {
  const air = await create(url, { system: 'dogfite', scenario: 'verdun-1916', dice: 'seeded', seed: '5', seats: people({ seats: [0, 1] }) });
  const met = await until(url, air, (question) => question.prompt.code === 'move' && question.form.kind === 'pick');
  // A turn ends by another edge of the hex ahead: the whole step is told by the spot, not by the hex.
  const turn = met.question.options.find((option) => /^Turn 1/.test(option.label) && option.pieces?.length === 3);
  const [, spot, piece] = turn.pieces;
  const { page } = await open();
  await page.goto(address(url, air, met.seat));
  await page.locator(`[data-piece="${piece}"]`).waitFor();
  await page.waitForTimeout(400);
  await page.mouse.move(...(await middle(page.locator(`[data-piece="${piece}"] .touch`))));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page.locator(`[data-box="${spot}"]`))), { steps: 6 });
  await page.locator(`[data-box="${spot}"].over`).waitFor();
  await page.locator(`[data-ghost="${piece}"]`).first().waitFor();
  await page.locator('.foreseen', { hasText: /edge|Speed/ }).waitFor();
  assert.match(await page.locator('.foreseen').innerText(), /^Turn 1/);
  await shot(page, 'dogfite-drag');
  await page.mouse.up();
  assert.equal((await ask(url, air.game, air.seats[0].token)).situation.at, met.state.situation.at, 'nothing is sent');
  // Only ways to make this step are listed, the plainest is taken up, and the button sends it.
  const listed = await page.locator('ol.options .option .hidden').allInnerTexts();
  assert.ok(listed.length > 0 && (await page.locator('.option.chosen').count()) === 1);
  assert.ok((await page.locator('ol.options .option').allInnerTexts()).every((label) => /Turn 1|bet/.test(label)));
  const at = await page.locator('.question').getAttribute('data-at');
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await moved(page, at);

  const sea = await create(url, { system: 'carrier-strike', scenario: 'first-strike', dice: 'seeded', seed: '7', seats: people({ seats: [0, 1] }) });
  const sailed = await until(url, sea, (question) => question.prompt.code === 'choose-action' && question.form.ways?.some(([name, way]) => way.kind === 'points' && /^move /.test(name)));
  const [, way] = sailed.question.form.ways.find(([name, one]) => one.kind === 'points' && /^move /.test(name));
  const { page: chart } = await open();
  await chart.goto(address(url, sea, sailed.seat));
  await chart.locator(`[data-piece="${way.piece}"]`).waitFor();
  await chart.waitForTimeout(400);
  const [x, y] = await middle(chart.locator(`[data-piece="${way.piece}"] .touch`));
  await chart.mouse.move(x, y);
  await chart.mouse.down();
  await chart.mouse.move(x + 10, y - 30, { steps: 4 });
  await chart.mouse.move(x + 20, y - 300, { steps: 4 });
  // So far it may not go: the rule says why.
  await chart.locator('.foreseen .no').waitFor();
  assert.equal(await chart.locator('.ghost').count(), 1);
  await shot(chart, 'carrier-drag');
  await chart.mouse.up();
}

/** At any question: what the admiral would do, why, and what else was weighed; a sign while it thinks. */
export async function aHintSaysWhy({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found) });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.locator('.question').waitFor();
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await page.getByRole('button', { name: 'The admiral is thinking…' }).waitFor();
  await page.locator('.advice table tbody tr').first().waitFor();
  assert.match(await page.locator('.advice').innerText(), /The admiral would:[\s\S]*±/);
  await shot(page, 'hint');
}

/** What one looks for and does not find is explained, with a link to the rule; a long list can be searched and is in groups. */
export async function longListsAndWhatIsNotThere({ url, open, shot }) {
  const game = await create(url, { system: 'carrier-strike', scenario: 'coral-sea', dice: 'seeded', seed: '7', seats: people({ seats: [0, 1] }) });
  const met = await until(url, game, (question) => question.prompt.code === 'choose-action' && question.options.length > 60);
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  await page.locator('.question').waitFor();
  assert.ok((await page.locator('details.group').count()) > 1, 'there are groups');
  const all = met.question.options.map((option) => option.label);
  const word = all.find((label) => /lands|launch/.test(label))?.match(/lands|launch\w*/)[0] ?? 'NE';
  await page.getByLabel('Search the options').fill(word);
  const found = all.filter((label) => label.toLowerCase().split(/[^\p{L}\p{N}-]+/u).some((part) => part.startsWith(word.toLowerCase())));
  await page.locator('.search [role=status]', { hasText: `${found.length} of ${all.length}` }).waitFor();
  const shown = await page.locator('ol.options .option').allTextContents();
  assert.ok(shown.length > 0 && shown.every((label) => label.toLowerCase().includes(word.toLowerCase())), `only options with ${word} are shown`);
  await shot(page, 'search');
  await page.locator('.missing summary').click();
  const reason = page.locator('.missing li').first();
  await reason.waitFor();
  assert.match(await reason.innerText(), /:/);
  const rule = reason.locator('a').first();
  assert.match(await rule.getAttribute('href'), /#\/rules\/carrier-strike\//);
  await shot(page, 'missing');
}

/** The board is moved and zoomed by wheel, mouse, keys and two fingers, and comes back with one key. */
export async function theBoardMovesByMouseKeysAndTouch({ url, open }) {
  const game = await create(url, { system: 'dogfite', scenario: 'verdun-1916', dice: 'seeded', seed: '5', seats: people({ seats: [0, 1] }) });
  const { page, context } = await open({ hasTouch: true });
  await page.goto(address(url, game, 0));
  const piece = page.locator('[data-piece]').first();
  await piece.waitFor();
  await page.waitForTimeout(400);
  const where = () => piece.evaluate((one) => one.style.transform);
  const start = await where();
  let last = start;
  const changed = async (what) => {
    await page.waitForTimeout(60);
    const now = await where();
    assert.notEqual(now, last, what);
    last = now;
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
  await page.keyboard.press('ArrowLeft');
  await changed('an arrow moves it');
  await page.keyboard.press('+');
  await changed('a key zooms');
  const session = await context.newCDPSession(page);
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  await touch('touchStart', [[x, y], [x + 60, y]]);
  for (let step = 1; step <= 4; step++) await touch('touchMove', [[x - step * 10, y], [x + 60 + step * 10, y]]);
  await touch('touchEnd', []);
  await changed('two fingers zoom');
  await page.locator('.board').focus();
  await page.keyboard.press('Home');
  await page.waitForTimeout(60);
  assert.equal(await where(), start, 'Home shows it as it was');
}

/** A secret choice is sealed until all are in: its owner sees the seal, the other nothing of it. */
export async function secretsAreSealed({ url, open, shot }) {
  const game = await create(url, { system: 'dogfite', scenario: 'verdun-1916', dice: 'seeded', seed: '5', seats: people({ seats: [0, 1] }) });
  const windows = [];
  for (const seat of [0, 1]) {
    const { page } = await open();
    await page.goto(address(url, game, seat));
    await page.getByText('Sealed question').waitFor();
    windows.push(page);
  }
  const [ann, bob] = windows;
  const before = await bob.locator('main.game').innerText();
  await answer(ann);
  await ann.getByText('Your choice is sealed.').waitFor();
  await shot(ann, 'sealed');
  await bob.waitForTimeout(400);
  assert.equal(await bob.locator('main.game').innerText(), before, 'nothing of it is seen');
  await answer(bob);
  await ann.getByText('Your choice is sealed.').waitFor({ state: 'detached' });
  await ann.locator('.log > li').first().waitFor();
}

/** With animations off nothing moves by itself; the choice is kept. */
export async function animationsCanBeTurnedOff({ url, open }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: people(found) });
  const { page } = await open();
  await page.goto(address(url, game, 0));
  await page.locator('main.game').waitFor();
  const moves = () => page.evaluate(() => [...document.querySelectorAll('.piece')].some((one) => getComputedStyle(one).transitionDuration !== '0s' && getComputedStyle(one).transitionProperty !== 'none'));
  await page.waitForTimeout(400);
  assert.equal(await moves(), true);
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.getByLabel('Animate events').uncheck();
  await page.waitForTimeout(100);
  assert.equal(await moves(), false);
  await page.reload();
  await page.locator('.piece').first().waitFor();
  await page.waitForTimeout(400);
  assert.equal(await moves(), false, 'it is kept');
}
