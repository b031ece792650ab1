import net from 'node:net';
import { expect } from '@playwright/test';

/** How long a page may take for a step. It is looked at in every frame, not at the growing intervals of `expect`. */
export const WITHIN = { timeout: 15_000 };
const OFTEN = { intervals: [50], ...WITHIN };

/** A connection to the server that can be cut and restored. */
export async function cable(url) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  let whole = true;
  const server = net.createServer((near) => {
    if (!whole) return void near.destroy();
    const far = net.connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut: () => {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => (whole = true),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Creates a game through the API, with every human seat for the caller; hints are on, because tests answer by them. */
export async function create(url, game) {
  const own = game.seats.flatMap(({ kind }, at) => (kind === 'human' ? [at] : []));
  const response = await fetch(`${url}/api/games`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ dice: 'fair', own, hints: true, ...game }),
  });
  if (response.status !== 201) throw new Error(`The game was not made: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The first scenario of a system, with its seats. */
export async function scenario(url, system, wanted) {
  const systems = await (await fetch(`${url}/api/systems`)).json();
  const found = systems.find((one) => one.id === system);
  if (!found) return null;
  return found.scenarios.find((one) => one.id === wanted) ?? found.scenarios[0] ?? null;
}

/** Where a page's game stands: over, asked, or waiting. */
export async function standing(page) {
  return page.evaluate(() => {
    if (document.querySelector('.outcome')) return 'over';
    if (document.querySelector('.curtain')) return 'curtain';
    if (document.querySelector('.typed')) return 'dice';
    if (document.querySelector('.question')) return 'asked';
    return 'waiting';
  });
}

/** Answers any question with the first plan or option, confirmed. */
export async function answer(page) {
  const at = await page.locator('.question').getAttribute('data-at');
  const plan = page.locator('.plans button').first();
  const option = page.locator('ol.options .option').first();
  // A long list shows its groups first.
  for (let depth = 0; depth < 3 && (await page.locator('.list').count()) > 0 && (await option.count()) === 0; depth++)
    await page.locator('.list details:not([open]) > summary').first().click();
  if ((await page.locator('.plans').count()) > 0) {
    if (!(await plan.isVisible())) await page.locator('.plans > summary').click();
    if (!(await plan.isVisible())) await page.locator('.plans .list summary').first().click();
    await plan.click();
  } else if ((await option.count()) > 0) await option.click();
  else await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await send(page);
  await moved(page, at);
}

/** The button that gives the answer; its word is the verb of the question. */
export const primary = (page) => page.locator('.question .actions .primary');

/** Gives the answer that is chosen. */
export async function send(page) {
  await primary(page).click();
}

/** The middle of an element in the window. */
export async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Waits until the board neither glides nor settles into its window. */
export async function atRest(page) {
  await page.waitForFunction(
    () =>
      !document.querySelector('.board > svg.moving') &&
      document.getAnimations().every((one) => one.effect?.getComputedTiming().iterations !== 1),
    undefined,
    WITHIN,
  );
}

/** Waits until the player is wanted, or the game is over. */
export async function stirs(page) {
  await page.locator('.outcome, .curtain, .typed, .question').first().waitFor();
}

/** Waits until a question has been answered: it goes away, or another one takes its place. */
export async function moved(page, at, asked = '.question') {
  await page.waitForFunction((own) => !document.querySelector(own), `${asked}[data-at="${at}"]`, WITHIN);
}

const over = (standings) => standings.every((one) => one === 'over');

/** Plays on until the game is over in every window. */
export async function playOut(windows, { limit = 400, each = async () => {} } = {}) {
  let answers = 0;
  for (let turn = 0; turn < limit; turn++) {
    let acted = false;
    for (const page of windows) {
      const now = await standing(page);
      if (now === 'asked') {
        await answer(page);
        acted = true;
        answers += 1;
        await each(answers, page);
      }
    }
    const all = await Promise.all(windows.map(standing));
    if (over(all)) return turn;
    if (acted) continue;
    const standings = () => Promise.all(windows.map(standing));
    await expect
      .poll(async () => (await standings()).some((one) => one === 'asked') || over(await standings()), OFTEN)
      .toBe(true);
  }
  throw new Error(`The game did not end in ${limit} rounds.`);
}

/** Two people, whatever the scenario. */
export const people = (found) => found.seats.map((_, at) => ({ kind: 'human', name: at === 0 ? 'Ann' : 'Bob' }));
/** Where a seat of a game is played. */
export const address = (url, game, seat) => `${url}/#/game/${game.game}?token=${game.seats[seat].token}`;

/** Calls the API as a seat; tries again when the server limits requests. */
export async function ask(url, path, token, body) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  let response;
  await expect(async () => {
    response = await fetch(`${url}/api/games/${path}`, request);
    expect(response.status).not.toBe(429);
  }).toPass({ intervals: [1000], timeout: 60_000 });
  return response.json();
}

/** Answers through the API with hints until a seat gets the question that the test wants. */
export async function until(url, game, wanted, most = 120) {
  for (let answers = 0; answers < most; answers++) {
    for (const { seat, token } of game.seats) {
      const state = await ask(url, game.game, token);
      // No browser plays these seats, so none adds random numbers.
      if (state.situation.waiting.joining?.includes(seat))
        await ask(url, `${game.game}/entropy`, token, { waive: true });
      const question = state.situation.question;
      if (state.situation.outcome) return null;
      if (!question) continue;
      if (wanted(question)) return { seat, question, state };
      const hint = await ask(url, `${game.game}/hint`, token, { player: 'greedy' });
      await ask(url, `${game.game}/answer`, token, {
        id: `until-${answers}-${seat}`,
        at: state.situation.at,
        value: hint.value,
      });
      break;
    }
  }
  throw new Error('The question was not met.');
}
