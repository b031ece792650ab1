import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { answer, cable, create, moved, playOut, scenario, standing } from './help.mjs';

/** Two windows, a link each; one of them is cut and comes back; both see the same end. */
async function twoWindows({ url, open, shot }, system, wanted) {
  const found = await scenario(url, system, wanted);
  assert.ok(found, `${system} has a scenario`);
  const game = await create(url, { system, scenario: found.id, seats: found.seats.map((_, at) => ({ kind: 'human', name: at === 0 ? 'Ann' : 'Bob' })) });
  const line = await cable(url);
  const windows = [];
  for (const [at, seat] of game.seats.entries()) {
    const { page, context } = await open();
    await page.goto(`${at === 0 ? url : line.url}/#/game/${game.game}?token=${seat.token}`);
    await page.locator('main.game').waitFor();
    windows.push({ page, context });
  }
  const [ann, bob] = windows;
  const pages = windows.map((one) => one.page);
  await shot(ann.page, `${system}-first`);
  // One line is cut, the other side plays on, the line comes back: nothing may be lost.
  line.cut();
  await bob.page.locator('.cut').waitFor();
  if ((await standing(ann.page)) === 'asked') await answer(ann.page);
  line.mend();
  await bob.page.locator('.cut').waitFor({ state: 'detached' });
  await playOut(pages, {
    each: async (answers, page) => {
      if (answers === 4) await shot(page, `${system}-middle`);
    },
  });
  const ends = await Promise.all(pages.map((page) => page.locator('.outcome h2').innerText()));
  assert.equal(ends[0], ends[1]);
  const logs = await Promise.all(pages.map((page) => page.locator('.log > li .text').allInnerTexts()));
  assert.deepEqual(logs[0], logs[1], 'nothing lost and nothing doubled');
  assert.ok(logs[0].length > 3);
  await shot(ann.page, `${system}-end`);
  line.close();
  return { windows, game };
}

/** A whole battle of Schiffskrieg by link, then its replay. */
export async function schiffskriegInTwoWindows(table) {
  const { windows, game } = await twoWindows(table, 'schiffskrieg');
  const { page } = windows[0];
  await page.getByRole('button', { name: 'Replay from the start' }).click();
  await page.getByText(/Step 0 of/).waitFor();
  await page.getByRole('button', { name: 'One step on' }).click();
  await page.getByText(/Step 1 of/).waitFor();
  // A spectator may open any step by its address.
  const { page: watcher } = await table.open();
  await watcher.goto(`${table.url}/#/game/${game.game}?at=2`);
  await watcher.getByText(/Step 2 of/).waitFor();
  await watcher.locator('[data-piece]').first().waitFor();
}

/** A whole carrier duel, with everything that is hidden in it. */
export async function carrierStrikeInTwoWindows(table) {
  await twoWindows(table, 'carrier-strike');
}

/** A whole dogfight over the hexes. */
export async function dogfiteInTwoWindows(table) {
  await twoWindows(table, 'dogfite');
}

/** One keyboard: the curtain falls between the seats and hides what belongs to the other. */
export async function hotSeatHasACurtain({ url, open, shot }) {
  const { page } = await open();
  await page.goto(`${url}/#/?system=schiffskrieg`);
  await page.getByText('One keyboard').click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.curtain').waitFor();
  assert.equal(await page.locator('[data-piece]').count(), 0);
  await shot(page, 'curtain');
  let curtains = 0;
  for (let turn = 0; turn < 300; turn++) {
    const now = await standing(page);
    if (now === 'over') break;
    if (now === 'curtain') {
      curtains += 1;
      assert.equal(await page.locator('.question').count(), 0);
      await page.locator('.curtain button').click();
    } else if (now === 'asked') await answer(page);
    else await page.waitForTimeout(50);
  }
  assert.equal(await standing(page), 'over');
  assert.ok(curtains >= 2, `${curtains} curtains`);
}

/** Real dice are asked for by number and kind and typed in. */
export async function realDiceAreTypedIn({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, dice: 'typed', seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })) });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await page.locator('main.game').waitFor();
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
      await page.getByRole('button', { name: 'These are the dice' }).click();
      await page.waitForFunction((before) => document.querySelector('.typed h2')?.textContent !== before, text, { timeout: 3000 }).catch(() => {});
      typed += 1;
    } else await page.waitForTimeout(50);
  }
  assert.ok(typed >= 1, 'dice were asked for');
  assert.ok((await page.locator('.log .die').count()) > 0, 'the log shows them as dice');
}

/** From the first key to the last without a mouse, in every system. */
export async function keyboardAlone({ url, open }) {
  for (const [system, wanted] of [['schiffskrieg'], ['dogfite', 'hawker-1916'], ['carrier-strike', 'hiryu-alone']]) {
    const found = await scenario(url, system, wanted);
    const game = await create(url, { system, scenario: found.id, dice: 'seeded', seed: '11', seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })) });
    const { page } = await open();
    await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
    await page.locator('main.game').waitFor();
    await untilOver(page, system);
  }
}

const focused = (page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Answers by keys until the game is over: a digit chooses, Tab reaches the button that sends it (or Ctrl and Enter do), Enter confirms. */
async function untilOver(page, system) {
  let sent = 0;
  for (let turn = 0; turn < 1500; turn++) {
    const now = await standing(page);
    if (now === 'over') return;
    if (now !== 'asked') {
      await page.waitForTimeout(30);
      continue;
    }
    const at = await page.locator('.question').getAttribute('data-at');
    // The focus stays on the page: where it was lost, the question takes it.
    if (sent > 0) await page.waitForFunction(() => document.activeElement?.closest('main'));
    // Some questions are answered by the digit itself; the others have a button to reach.
    const sends = (await page.getByRole('button', { name: /^(Send|Seal) the answer$/ }).count()) > 0;
    await page.keyboard.press('1');
    if (sends && sent % 2 === 0) {
      for (let tab = 0; tab < 80 && !/^(Send|Seal) the answer$/.test(await focused(page)); tab++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    } else if (sends) await page.keyboard.press('Control+Enter');
    sent += 1;
    // Either the answer is on its way, or it is to be confirmed.
    await page.waitForFunction((before) => document.querySelector('.confirm') || (document.querySelector('.question')?.getAttribute('data-at') ?? '') !== before, at);
    if ((await page.locator('.confirm').count()) > 0) await page.keyboard.press('Enter');
    await moved(page, at);
  }
  assert.fail(`the game of ${system} did not end`);
}

/** A piece dragged to another shows the attack before it is made; its odds are exact; the log proves what came of it. */
export async function dragOddsAndProof({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })) });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await page.locator('.piece.lit').first().waitFor();
  await page.waitForTimeout(400);
  const middle = async (id) => {
    const box = await page.locator(`[data-piece="${id}"] .touch`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [fromX, fromY] = await middle('hood');
  const [toX, toY] = await middle('scharnhorst');
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(fromX, fromY - 30, { steps: 3 });
  await page.mouse.move(toX, toY, { steps: 5 });
  assert.equal(await page.locator('.arrow.aim').count(), 1, 'the drag is drawn');
  await page.mouse.up();
  assert.equal(await page.locator('.arrow.aim').count(), 1, 'and becomes an arrow');
  assert.match(await page.locator('li', { hasText: 'Hood' }).locator('select option:checked').innerText(), /Scharnhorst/);
  await page.getByRole('button', { name: 'Odds', exact: true }).click();
  await page.locator('.odds .bars').first().waitFor();
  assert.match(await page.locator('.odds').innerText(), /%[\s\S]*\d+\/\d+/);
  await shot(page, 'odds-in-game');
  // What one expects and does not find is explained by its rule; an answer that cannot be taken back is confirmed.
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('This cannot be taken back.').waitFor();
  const at = await page.locator('.question').getAttribute('data-at');
  await page.getByRole('button', { name: 'Yes, send it' }).click();
  await moved(page, at);
  const line = page.locator('.log details', { hasText: 'Hood attacks' }).first();
  await line.locator('summary').click();
  // The proof names its rules, and dice are drawn as dice.
  await line.locator('a[href^="#/rules/schiffskrieg/"]').first().waitFor();
  await line.locator('.die').first().waitFor();
  // The table is drawn whole, with the row and column that were read lit.
  await line.locator('td.cell').first().waitFor();
  assert.ok((await line.locator('figure tbody tr').count()) > 1);
  await shot(page, 'proof');
}

/** A friend's invitation from the first page leads to the other seat, once; the rematch changes sides for both. */
export async function aFriendByInvitationAndARematch({ url, open, shot }) {
  const { page: ann } = await open();
  await ann.goto(`${url}/#/?system=schiffskrieg`);
  await ann.getByText('A friend', { exact: true }).click();
  await ann.getByRole('button', { name: 'Make the invitation' }).click();
  await ann.locator('.link input').first().waitFor();
  const links = await ann.locator('.link input').evaluateAll((fields) => fields.map((field) => field.value));
  assert.equal(links.length, 1);
  await ann.getByRole('link', { name: 'Go to your seat' }).click();
  await ann.locator('main.game').waitFor();
  // Nothing is taken before the friend says so.
  const { page: bob } = await open();
  await bob.goto(links[0]);
  await shot(bob, 'invitation');
  await bob.getByRole('button', { name: 'Take the seat' }).click();
  await bob.locator('main.game').waitFor();
  for (const page of [ann, bob]) assert.match(page.url(), /\/#\/game\/[\w-]+\?seat=[01]$/, 'no secret in the address');
  await bob.reload();
  await bob.locator('.seats li', { hasText: '(you)' }).waitFor();
  // Used by somebody else it leads nowhere; in the browser that used it, to the seat.
  const { page: eve } = await open();
  await eve.goto(links[0]);
  await eve.getByRole('button', { name: 'Take the seat' }).click();
  await eve.getByText('This invitation has been used').waitFor();
  await bob.goto(links[0]);
  await bob.locator('.seats li', { hasText: '(you)' }).waitFor();
  // Both browsers have added to the dice by themselves.
  await ann.getByRole('tab', { name: 'Game' }).click();
  await ann.getByText('Both players added randomness.').waitFor();
  await shot(ann, 'dice-line');
  const side = (page) => page.locator('.seats li', { hasText: '(you)' }).locator('b').innerText();
  const [a, b] = [await side(ann), await side(bob)];
  assert.notEqual(a, b);
  await bob.getByRole('tab', { name: 'Chat' }).click();
  await bob.getByPlaceholder('Say something').fill('Good luck');
  await bob.getByRole('button', { name: 'Say', exact: true }).click();
  await ann.getByRole('tab', { name: 'Chat (1)' }).click();
  await ann.getByText('Good luck').waitFor();
  await bob.getByRole('tab', { name: 'Game' }).click();
  await bob.getByRole('button', { name: 'Resign' }).click();
  await bob.getByRole('button', { name: 'Yes, resign' }).click();
  await ann.locator('.outcome').waitFor();
  await ann.locator('.outcome').getByRole('button', { name: 'Rematch, sides changed' }).click();
  await ann.locator('.outcome').waitFor({ state: 'detached' });
  await bob.getByRole('button', { name: 'Take your seat in the rematch' }).click();
  await bob.locator('.outcome').waitFor({ state: 'detached' });
  await bob.locator('.seats li', { hasText: '(you)' }).waitFor();
  await ann.locator('.seats li', { hasText: '(you)' }).waitFor();
  assert.deepEqual([await side(ann), await side(bob)], [b, a]);
}

/** What happened is said in a live region. */
export async function eventsAreAnnounced({ url, open }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })) });
  const { page } = await open();
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await page.locator('main.game').waitFor();
  for (let turn = 0; turn < 100; turn++) {
    const now = await standing(page);
    if (now === 'asked') await answer(page);
    if ((await page.locator('[role=log]').innerText()).trim() !== '') return;
    if (now === 'over') break;
    await page.waitForTimeout(50);
  }
  assert.fail('nothing was announced');
}

/** The forces of a custom battle are saved as a scenario file, once they are known. */
export async function customForcesAreSaved({ url, open }) {
  const game = await create(url, { system: 'schiffskrieg', scenario: 'custom', seats: [{ kind: 'human', name: 'Ann' }, { kind: 'computer', player: 'greedy' }], dice: 'seeded', seed: '3' });
  const { page } = await open();
  await page.goto(`${url}${game.seats[0].link}`);
  await page.locator('.question').waitFor();
  const save = async (title) => {
    await page.getByRole('tab', { name: 'Game' }).click();
    await page.getByRole('button', { name: 'Save the forces as a scenario' }).click();
    await page.getByLabel('What the scenario is called').fill(title);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await save('Too early');
  await page.getByText('The forces have not been picked yet').waitFor();
  await page.reload();
  await answer(page);
  await page.locator('.question').waitFor();
  const file = page.waitForEvent('download');
  await save('Night off Savo!');
  const saved = await file;
  assert.equal(saved.suggestedFilename(), 'scenarios-night-off-savo.toml');
  const text = await readFile(await saved.path(), 'utf8');
  assert.match(text, /id = "night-off-savo"/);
  assert.match(text, /\[\[scenario\.faction\.unit\]\]/);
}
