// Plays games with the pieces of the board alone, and looks at the page at every question.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import { ask, atRest, moved, primary, standing, stirs } from './help.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Numbers that are the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What is wrong with the page as it stands; an empty list if nothing is. */
export const faults = (page, ids) =>
  page.evaluate((ids) => {
    const found = [];
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight) found.push(`the page is ${scrollHeight} high in a window of ${innerHeight}`);
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide in a window of ${innerWidth}`);
    if (scrollY !== 0 || document.body.getBoundingClientRect().top !== 0) found.push('the page has moved');
    const shown = (rect) =>
      rect !== undefined && rect.height > 0 && rect.top >= 0 && rect.bottom <= innerHeight + 1 && rect.right <= innerWidth + 1;
    const confirm = document.querySelector('.question .actions .primary');
    const rect = confirm?.getBoundingClientRect();
    const hidden = confirm && getComputedStyle(confirm).visibility === 'hidden';
    if (!confirm) found.push('there is no button');
    else if (!shown(rect)) found.push(`the button is at ${Math.round(rect.top)} to ${Math.round(rect.bottom)}`);
    else if (!hidden) {
      const over = document.elementFromPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
      if (!confirm.contains(over)) found.push(`the button is covered by ${over?.outerHTML.slice(0, 80)}`);
    }
    const header = document.querySelector('header')?.getBoundingClientRect();
    if (!header || header.top !== 0) found.push(`the header is at ${header?.top}`);
    // How to win, what happens now, the turn and the clock.
    const sight = { aim: '.aim p', now: '.aim .now', turn: 'header.bar h1', clock: 'header.bar .seats .clock' };
    for (const [what, selector] of Object.entries(sight))
      if (!shown(document.querySelector(selector)?.getBoundingClientRect())) found.push(`the ${what} is out of sight`);
    const title = document.querySelector(sight.turn)?.textContent ?? '';
    if (!/\b(turn|round|day|minute) \d/i.test(title)) found.push(`the title tells no turn: ${title}`);
    if (!/^You win if \w/.test(document.querySelector(sight.aim)?.textContent.trim() ?? '')) found.push('no aim is told');
    const board = document.querySelector('.board')?.getBoundingClientRect();
    if (!board || board.height < 120 || board.top > innerHeight / 2) found.push('the board is out of sight');
    // What is read: texts, labels, titles.
    const texts = new Set();
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.add(node.textContent.trim());
    for (const one of document.querySelectorAll('main [aria-label], main [title]'))
      for (const name of ['aria-label', 'title']) texts.add(one.getAttribute(name) ?? '');
    for (const text of texts) {
      if (/\{"|":|\[\{|\[\[/.test(text)) found.push(`JSON: ${text}`);
      // The numbers of hexes are printed on the map.
      const places = text.replace(/\b0\d{3}\b/g, 'hex');
      if (/(^|[^\d.:/])(-?\d{4,}, -?\d+|-?\d+, -?\d{4,}|-\d+, -?\d+)\b/.test(places)) found.push(`a coordinate: ${text}`);
      if (/…$/.test(text) && /\w…$/.test(text) && !/^(Calculating|Looking ahead|choose|Opening)/.test(text))
        found.push(`cut: ${text}`);
      const words = text.split(/[^\p{L}\p{N}-]+/u);
      // A counter may bear its sign in small print.
      for (const id of ids) if (text !== id && words.includes(id)) found.push(`the id ${id}: ${text}`);
    }
    // Text that is cut by its box.
    for (const one of document.querySelectorAll('.question *, .strip *, .chips *, .deck *')) {
      const style = getComputedStyle(one);
      if (one.children.length === 0 && style.overflowX === 'hidden' && one.clientWidth > 2)
        if (one.scrollWidth > one.clientWidth + 1) found.push(`cut: ${one.textContent.trim()}`);
    }
    return found;
  }, ids);

/** Axe's findings, by rule. */
export async function barriers(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document.querySelector('main'), { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
  });
}

/**
 * Looks at a question: the page, its odds (the first few times for each kind of question, if so wanted), and once for
 * each kind its barriers.
 */
export async function look(page, { url, game, token, known }, odds = Infinity) {
  const { situation } = await ask(url, game, token);
  // The page may still show a question that has just been the last.
  if (!situation.question) return null;
  const code = situation.question.prompt.code;
  const ids = situation.scene.pieces
    .map((piece) => piece.id)
    .filter((id) => /\d|-/.test(id))
    .filter((id) => !situation.scene.pieces.some((piece) => piece.name === id));
  expect(await faults(page, ids), `the page at “${situation.question.prompt.text}”`).toEqual([]);
  const times = known.get(code) ?? 0;
  known.set(code, times + 1);
  if (times >= odds) return situation.question;
  await page.getByRole('button', { name: 'Odds', exact: true }).click();
  await expect(page.locator('.odds, .question .refused').first()).toBeVisible();
  expect(await page.locator('.odds').count(), `odds at “${situation.question.prompt.text}”`).toBe(1);
  expect(await faults(page, ids), `with odds at “${situation.question.prompt.text}”`).toEqual([]);
  const close = page.locator('.odds').getByRole('button', { name: 'close' });
  if ((await close.count()) > 0) await close.click();
  if (times === 0) {
    expect(await barriers(page), `axe at “${situation.question.prompt.text}”`).toEqual([]);
  }
  return situation.question;
}

/** The pointer of a page: a mouse, or a finger on a phone, where the button below the question gives the answer. */
export function pointer(page, touch = false) {
  if (!touch)
    return {
      give: page.locator('.strip .give'),
      at: ({ x, y }) => page.mouse.click(x, y),
      on: (target) => target.click(),
      drag: async (from, to) => {
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
        await page.mouse.move(to.x, to.y, { steps: 3 });
        await page.mouse.up();
      },
    };
  let session;
  const send = async (type, ...touchPoints) => {
    session ??= await page.context().newCDPSession(page);
    const points = touchPoints.map(({ x, y }) => ({ x, y }));
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  };
  return {
    give: primary(page),
    at: ({ x, y }) => page.touchscreen.tap(x, y),
    on: (target) => target.tap(),
    drag: async (from, to) => {
      await send('touchStart', from);
      for (let step = 1; step <= 5; step++)
        await send('touchMove', { x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 });
      // A finger that flings would make the browser swallow the next tap.
      await page.waitForTimeout(120);
      await send('touchMove', to);
      await send('touchEnd');
    },
  };
}

const ready = async ({ give }) => (await give.count()) > 0 && (await give.isVisible()) && (await give.isEnabled());

/** The middles of elements that a pointer can reach. */
const reachable = (page, selector) =>
  page.evaluate((selector) => {
    const board = document.querySelector('.board').getBoundingClientRect();
    return [...document.querySelectorAll(selector)].flatMap((one) => {
      const rect = (one.querySelector('.touch') ?? one).getBoundingClientRect();
      const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
      if (x < board.left + 4 || x > board.right - 4 || y < board.top + 4 || y > board.bottom - 4) return [];
      const hit = document.elementFromPoint(x, y);
      return one.contains(hit) ? [{ x, y, id: one.getAttribute('data-piece') ?? one.getAttribute('data-box') }] : [];
    });
  }, selector);

/** Shows the choices that have no room in the strip. */
async function unfold(page, hand) {
  const more = page.locator('.strip > button[aria-expanded="false"]');
  if ((await more.count()) > 0) await hand.on(more);
}

/** One gesture on the board that may choose something; says what it did. */
async function gesture(page, hand, chance, tried) {
  const chips = page.locator('.board .chips .chip, .strip .chips .chip').filter({ visible: true });
  const sources = await reachable(page, '[data-piece].lit, .deck .berth.grab, .deck .berth.lit');
  const targets = await reachable(page, '[data-piece].target, path.lit[data-box], .spot[data-box], .box.lit[data-box]');
  const grabs = await reachable(page, '[data-piece].grab, .deck .berth.grab');
  const beside = page.locator('.board .chips .chip:not([aria-pressed="true"])');
  const turn = chance(6) + tried;
  if ((await beside.count()) > 0 && turn % 2 === 0) {
    await hand.on(beside.nth(chance(await beside.count())));
    return 'chip';
  }
  if (grabs.length > 0 && turn % 3 === 0) {
    const from = grabs[chance(grabs.length)];
    const aimed = targets.filter((one) => one.id !== from.id);
    const away = { x: from.x + chance(160) - 80, y: from.y - 40 - chance(90) };
    const to = aimed.length > 0 ? aimed[chance(aimed.length)] : away;
    await hand.drag(from, to);
    return 'drag';
  }
  const pieces = [...targets, ...sources];
  if (pieces.length > 0 && turn % 3 !== 2) {
    const one = pieces[chance(pieces.length)];
    await hand.at(one);
    return 'piece';
  }
  await unfold(page, hand);
  if ((await chips.count()) > 0) {
    await hand.on(chips.nth(chance(await chips.count())));
    return 'chip';
  }
  return 'nothing';
}

/** Waits until an answer is taken or refused; says whether it was taken. */
async function accepted(page, at) {
  const gone = expect(page.locator(`.question[data-at="${at}"]`)).toHaveCount(0);
  const refused = page.locator('.question .refused').first().waitFor({ timeout: 15_000 });
  await Promise.race([gone, refused.catch(() => gone)]);
  return (await page.locator(`.question[data-at="${at}"]`).count()) === 0;
}

/** Lets go of what is chosen, if anything is. */
async function letGo(page, hand) {
  const button = page.getByRole('button', { name: 'Clear this choice' });
  if ((await button.count()) > 0) await hand.on(button);
}

/**
 * Answers a question on the board with whatever it offers; `done` counts the gestures. Returns whether pieces and the
 * choices beside them gave the answer, or the last choice of the strip below the board.
 */
export async function answerByHand(page, hand, chance, done, before = async () => {}) {
  const at = await page.locator('.question').getAttribute('data-at');
  await atRest(page);
  for (let tried = 0; tried < 24; tried++) {
    done[await gesture(page, hand, chance, tried)] += 1;
    if (!(await ready(hand))) continue;
    // The page says whether it is allowed before it is given.
    await expect(page.getByText('Looking ahead…')).toHaveCount(0);
    if ((await page.locator('.foreseen .no').count()) > 0) {
      await letGo(page, hand);
      continue;
    }
    await before();
    await hand.on(hand.give);
    if (await accepted(page, at)) return 'board';
    await letGo(page, hand);
  }
  // What a hand could not find in so many tries is in the strip below the board.
  const chips = page.locator('.strip .chips .chip');
  if (!(await ready(hand))) await letGo(page, hand);
  // Some questions have choices there only once a piece is chosen.
  for (let more = 0; more < 30 && !(await ready(hand)); more += 1) {
    await unfold(page, hand);
    if ((await chips.filter({ visible: true }).count()) > 0) await hand.on(chips.filter({ visible: true }).last());
    else await gesture(page, hand, chance, more);
  }
  await hand.on(hand.give);
  await moved(page, at);
  return 'strip';
}

/** What a screen reader is given at a question: the board and the question, as a tree in text. */
export async function tree(page) {
  const parts = [page.locator('.left'), page.locator('.ask')];
  const whole = (await Promise.all(parts.map((part) => part.ariaSnapshot()))).join('\n');
  // Whether a playback is offered depends on how fast the last answer came back.
  return whole.replace(/^ *- button "Play back"\n/m, '');
}

/** The lines of a tree that are controls without a name. */
export function nameless(text) {
  const bare = /^\s*- (button|link|textbox|searchbox|combobox|spinbutton|checkbox|radio|tab)( \[|:|$)/;
  return text.split('\n').filter((line) => bare.test(line));
}

/** How many elements of the board Tab stops at, without the controls that stand on it. */
export const tabStops = (page) =>
  page.evaluate(
    () =>
      [document.querySelector('.board'), ...document.querySelectorAll('.board [tabindex], .board button')].filter(
        (one) => one.tabIndex >= 0 && !one.closest('[data-control]'),
      ).length,
  );

/** Answers on the board by keys: goes to what can be chosen, chooses, and gives the answer; false if that gave none. */
async function onBoard(page, at) {
  const focused = (selector) => page.evaluate((at) => document.activeElement?.matches(at) ?? false, selector);
  for (let tab = 0; tab < 60 && !(await focused('.board')); tab++) await page.keyboard.press('Shift+Tab');
  expect(await focused('.board'), 'Tab reaches the board').toBe(true);
  await page.keyboard.press('ArrowDown');
  const begun = page.getByRole('button', { name: 'Clear this choice' });
  for (let tried = 0; tried < 4; tried++) {
    if (!(await focused('.board [data-stop]'))) return false;
    await page.keyboard.press('Enter');
    if ((await begun.count()) > 0 && (await primary(page).isEnabled())) {
      await page.keyboard.press('Control+Enter');
      return accepted(page, at);
    }
    await page.keyboard.press('PageDown');
  }
  return false;
}

/** Answers by keys alone: by a digit, or every third time on the board; Enter confirms in each of its ways. */
export async function answerByKeys(page, done) {
  const question = page.locator('.question');
  const at = await question.getAttribute('data-at');
  const turn = done.digit + done.board;
  await page.waitForFunction(() => document.activeElement?.closest('main'));
  if (turn % 3 === 0 && (await onBoard(page, at))) {
    done.board += 1;
    return;
  }
  if (await primary(page).isDisabled()) await page.keyboard.press('1');
  await expect(primary(page)).toBeEnabled();
  const there = () => primary(page).evaluate((one) => one === document.activeElement);
  const asked = await page.evaluate(() => document.activeElement?.id === 'asked');
  if (turn % 3 === 1) {
    for (let tab = 0; tab < 80 && !(await there()); tab++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  } else await page.keyboard.press(asked ? 'Enter' : 'Control+Enter');
  done.digit += 1;
  await moved(page, at);
}

/** Plays a game to its end; `each` is called at every question. */
export async function play(page, answer, each, most = 400) {
  let questions = 0;
  for (let turn = 0; turn < most * 3; turn++) {
    const now = await standing(page);
    if (now === 'over') return questions;
    if (now !== 'asked') {
      await stirs(page);
      continue;
    }
    questions += 1;
    if (questions > most) throw new Error(`The game did not end in ${most} questions.`);
    await each(questions);
    if ((await standing(page)) === 'asked') await answer();
  }
  throw new Error('The game did not end.');
}
