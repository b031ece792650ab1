// What a screen reader is given through AT-SPI, the interface that Orca reads, in one whole game.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { atRest, create, scenario } from './help.mjs';
import { expect, test } from './fixtures.mjs';
import { answerByKeys, play } from './hands.mjs';

const run = promisify(execFile);
// Debian's own Python has its bindings.
const PYTHON = '/usr/bin/python3';

/** The page as a screen reader is given it; read until it says the question and says the same twice. */
async function hear(page, prompt) {
  let before = null;
  let now = null;
  await expect(async () => {
    const { stdout } = await run(PYTHON, ['e2e/hear.py', await page.title()]);
    // Whether a playback is offered depends on how fast the last answer came back.
    [before, now] = [now, stdout.replace(/^ *push button “Play back”.*\n/m, '')];
    expect(now).toContain(prompt);
    expect(now).toBe(before);
  }).toPass({ intervals: [50], timeout: 60_000 });
  return now;
}

test('a screen reader is given one whole game', async ({ url, open }) => {
  const found = await scenario(url, 'schiffskrieg', 'force-de-raid-1939');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    dice: 'seeded',
    seed: '17',
    seats: [{ kind: 'human' }, { kind: 'computer', player: 'greedy' }],
  });
  const { page } = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}/#/game/${game.game}?token=${game.seats[0].token}`);
  await expect(page.locator('main.game')).toBeVisible();
  const trees = [];
  const done = { digit: 0, board: 0 };
  await play(
    page,
    () => answerByKeys(page, done),
    async (n) => {
      const prompt = await page.locator('#asked').evaluate((one) => one.querySelector('.prompt').textContent.trim());
      await atRest(page);
      trees.push(`# Question ${n}\n${await hear(page, prompt)}`);
    },
  );
  expect(trees.join('\n')).toMatchSnapshot('schiffskrieg-atspi.txt');
});
