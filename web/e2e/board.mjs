// Answers questions on the board alone: with the pieces, and with a word only where the answer is about none of them.
import { expect } from '@playwright/test';
import { blank, draftOf, ownerOf } from '../src/lib/answer.ts';
import { isHex } from '../src/lib/options.ts';
import { answerByHand, pointer } from './hands.mjs';
import { ask, atRest, middle } from './help.mjs';

/** The acts that an option stands for: a click on what it names, one piece dragged to the other, then its words. */
function actsOf({ pieces = [], label }) {
  const [actors, hexes] = [pieces.filter((id) => !isHex(id)), pieces.filter(isHex)];
  if (pieces.length === 0) return [{ word: label }];
  const [from, to] = actors;
  const pair = to === undefined ? actors.map((id) => ({ click: id })) : [{ drag: [from, to] }];
  return [...pair, ...hexes.map((id) => ({ click: id })), { chip: label }];
}

/** What a person would do on the board to give an answer. */
function acts(form, options, draft, owner = null) {
  const chosen = (item) => item.options[draft.chosen[item.id] ?? -1];
  const items = (form.items ?? []).filter((item) => item.options.length > 1);
  const begun = 'items' in form || form.kind === 'points' ? blank(form, options) : null;
  const changed = (item) => chosen(item) && begun.chosen[item.id] !== draft.chosen[item.id];
  switch (form.kind) {
    case 'pick':
      return options[draft.option] ? actsOf(options[draft.option]) : [];
    case 'assign':
      return (form.items ?? []).filter(chosen).flatMap((item) => {
        const [owner, target] = [ownerOf(item), chosen(item).pieces?.at(-1)];
        const aim = target && target !== owner ? { drag: [owner, target] } : { click: owner };
        return [aim, { chip: chosen(item).label }];
      });
    case 'subset':
      return form.items.filter((item) => draft.chosen[item.id]).map((item) => ({ click: item.id, or: item.options }));
    case 'numbers':
      return form.items.flatMap((item, at) =>
        Array.from({ length: draft.numbers[item.id] - Math.max(0, form.limits[at]?.[0] ?? 0) }, () => ({
          click: item.id,
        })),
      );
    case 'points':
      return [
        { wander: form.piece },
        ...items.map((item) => ({
          word: `${item.label}: ${chosen(item)?.label}`,
          names: (chosen(item)?.pieces ?? []).length > 0,
        })),
      ];
    case 'parts': {
      const moved = form.places.filter(({ id }) => String(draft.places[id]) !== String(begun.places[id]));
      return [
        ...moved.map(({ id }) => ({ wander: id })),
        ...items.filter(changed).flatMap((item) => {
          const aimed = (chosen(item).pieces ?? []).filter((id) => id !== item.id);
          const word = `${item.label}: ${chosen(item).label}`;
          // What a piece of a sheet does to another is chosen with a click on that one.
          if (owner !== null && item.id !== owner)
            return [...aimed.map((id) => ({ click: id })), { chip: chosen(item).label, word, names: false }];
          const aim = aimed.map((id) => (isHex(id) ? { click: id, of: item.id } : { drag: [item.id, id] }));
          return [...(aim.length > 0 ? aim : [{ click: item.id }]), { chip: chosen(item).label, word, names: aimed.length > 0 }];
        }),
      ];
    }
    case 'course':
      return [{ wander: '@bow', of: form.piece }];
    case 'sheet':
      return draft.entries.flatMap((entry) => {
        const part = form.parts.find((one) => one.id === entry.part);
        return [{ click: part.id }, ...acts(part.form, part.options ?? [], entry.draft, part.id)];
      });
    case 'choices': {
      const [name, way] = form.ways[draft.way];
      return [{ chip: name, word: name, names: false }, ...acts(way, options, draft.drafts[draft.way])];
    }
  }
}

/** Where each of these pieces, hexes and handles can be taken hold of in the window; what is covered is left out. */
const spots = (page, ids) =>
  page.evaluate((ids) => {
    const board = document.querySelector('.board').getBoundingClientRect();
    const found = {};
    for (const id of ids)
      for (const one of document.querySelectorAll(`[data-piece="${id}"], [data-box="${id}"], [data-place="${id}"]`)) {
        const rect = (one.querySelector('.touch') ?? one).getBoundingClientRect();
        for (const [across, down] of [[0.5, 0.5], [0.3, 0.3], [0.7, 0.7], [0.3, 0.7], [0.7, 0.3], [0.5, 0.15]]) {
          const [x, y] = [rect.x + rect.width * across, rect.y + rect.height * down];
          const inside = x > board.left && x < board.right && y > board.top && y < board.bottom;
          if (inside && one.contains(document.elementFromPoint(x, y))) found[id] ??= { x, y };
        }
      }
    return found;
  }, ids);

const BESIDE = '.board .chips .chip, .strip [aria-label="Choices for this piece"] .chip';
const letGo = (page) => page.getByRole('button', { name: 'Clear this choice' });

/** Clicks the choice whose words are those of an answer, if it is there and not chosen yet. */
async function word(page, pointer, within, label, pages = 0) {
  const found = await page.evaluate(
    ([within, label]) => {
      const plain = (text) => text.toLowerCase().replace(/ …$/, '').trim();
      const chips = [...document.querySelectorAll(within)];
      const wanted = plain(label);
      const says = (chip) => plain(chip.firstChild.textContent);
      const fits = [
        (chip) => says(chip) === wanted,
        (chip) => wanted.endsWith(`: ${says(chip)}`),
        (chip) => wanted.startsWith(`${says(chip)}: `),
      ];
      const at = fits.map((fit) => chips.findIndex(fit)).find((one) => one >= 0);
      if (at === undefined) return null;
      const opens = /…$/.test(chips[at].firstChild.textContent.trim());
      return { at, opens, chosen: chips[at].getAttribute('aria-pressed') === 'true' };
    },
    [within, label],
  );
  if (!found) {
    // The other choices of a piece come a few at a time.
    const further = page.locator('.board .chips .further');
    if (pages > 9 || (await further.count()) === 0) return false;
    await pointer.on(further);
    return word(page, pointer, within, label, pages + 1);
  }
  const chip = page.locator(within).nth(found.at);
  if (!found.chosen) {
    const more = page.locator('.strip > button[aria-expanded="false"]');
    if ((await more.count()) > 0 && (await chip.evaluate((one) => one.closest('.strip') !== null))) await pointer.on(more);
    await pointer.on(chip);
  }
  return found.opens ? word(page, pointer, within, label) : true;
}

/** A point of the board at some distance in some direction. */
async function somewhere(page, from, chance) {
  const board = await page.locator('.board').boundingBox();
  const within = (low, size, at) => Math.max(low + 8, Math.min(low + size - 8, at));
  const [angle, far] = [(chance(360) / 180) * Math.PI, 30 + chance(110)];
  return {
    x: within(board.x, board.width, from.x + Math.cos(angle) * far),
    y: within(board.y, board.height, from.y + Math.sin(angle) * far),
  };
}

/** Plays on the board alone; `done` counts what was done, `answers` says how each question was answered. */
export class Hand {
  /** `before` is called when an answer is ready, before it is given. */
  constructor(page, { url, game, token }, chance, { touch = false, before = async () => {} } = {}) {
    Object.assign(this, { page, url, game, token, chance, before, pointer: pointer(page, touch) });
    this.done = { click: 0, drag: 0, chip: 0, word: 0, piece: 0, nothing: 0 };
    this.answers = [];
    this.slips = [];
    this.draggable = 0;
  }

  /** Opens the deck that a piece is aboard of, and says where each of these is. */
  async find(...ids) {
    let found = await spots(this.page, ids);
    // On a phone a long board scrolls.
    for (const id of ids)
      if (!found[id]) {
        const one = this.page.locator(`.board.pageScrolls :is([data-piece="${id}"], [data-box="${id}"])`).first();
        if ((await one.count()) > 0) await one.evaluate((it) => it.scrollIntoView({ block: 'center' }));
        found = await spots(this.page, ids);
      }
    // What lies outside the window or under a card is brought into sight.
    if (ids.some((id) => !found[id] && !id.startsWith('@'))) {
      const controls = [['Close the data card', ''], ['Show the whole board', '[aria-pressed="false"]']];
      for (const [name, state] of controls) {
        const button = this.page.locator(`button[aria-label="${name}"]${state}`);
        const there = ids.some((id) => !found[id]) && (await button.count()) > 0;
        if (!there) continue;
        await this.pointer.on(button);
        await atRest(this.page);
        found = await spots(this.page, ids);
      }
    }
    for (const id of ids) {
      const deck = this.decks.find((one) => one.aboard.some((aboard) => aboard.id === id));
      if (found[id] || !deck) continue;
      const carrier = (await spots(this.page, [deck.piece]))[deck.piece];
      if (!carrier) continue;
      await this.pointer.at(carrier);
      found = await spots(this.page, ids);
    }
    return ids.map((id) => found[id]);
  }

  async click(id) {
    const [at] = await this.find(id);
    if (!at) return false;
    await this.pointer.at(at);
    this.done.click += 1;
    return true;
  }

  /** Drags one piece to the other, from the one that can be taken hold of. */
  async drag(one, other) {
    const found = await this.find(one, other);
    const held = async (id) => (await this.page.locator(`[data-piece="${id}"].grab`).count()) > 0;
    const [start, end] = (await held(one)) || !(await held(other)) ? found : found.reverse();
    if (!start || !end || !((await held(one)) || (await held(other)))) return false;
    await this.pointer.drag(start, end);
    this.done.drag += 1;
    return true;
  }

  async act(act) {
    const { page, chance } = this;
    if (act.of && act.wander === undefined) await this.click(act.of);
    // The handle of a path is there while its piece is in hand; a click takes the piece or lets it go.
    else if (act.of) for (let n = 0; n < 2 && !(await this.find(act.wander))[0]; n++) await this.click(act.of);
    if (act.drag && !(await this.drag(...act.drag))) for (const id of act.drag) await this.click(id);
    if (act.click) {
      const there = [act.click, ...(act.or ?? []).flatMap(({ pieces = [] }) => pieces)];
      // A unit in hand lights the hexes it can go to.
      if (!(act.of && isHex(act.click) && (await this.drag(act.of, act.click))))
        for (const id of there) if (await this.click(id)) break;
    }
    if (act.wander !== undefined) {
      const [start] = act.wander === null ? [] : await this.find(act.wander);
      const board = await page.locator('.board').boundingBox();
      const from = start ?? { x: board.x + board.width / 2, y: board.y + board.height / 2 };
      const to = await somewhere(page, from, chance);
      if (start) await this.pointer.drag(start, to);
      else await this.pointer.at(to);
      this.done[start ? 'drag' : 'click'] += 1;
    }
    if (act.chip && (await word(page, this.pointer, BESIDE, act.chip))) this.done.chip += 1;
    else if (act.word && (await word(page, this.pointer, '.strip .chips .chip', act.word))) {
      this.done.word += 1;
      if (act.names) this.slips.push(act.word);
    }
  }

  /** Whether an answer is ready that the page says is allowed. */
  async ready() {
    const { give } = this.pointer;
    if (!(await give.isVisible()) || !(await give.isEnabled())) return false;
    await expect(this.page.getByText('Looking ahead…')).toHaveCount(0);
    return (await this.page.locator('.foreseen .no').count()) === 0;
  }

  async answer() {
    const { page, url, game, token } = this;
    const { situation } = await ask(url, game, token);
    const { question, scene } = situation;
    if (!question) return;
    this.decks = scene.decks ?? [];
    const hint = await ask(url, `${game}/hint`, token, { player: 'greedy' });
    const draft = draftOf(question.form, question.options, hint.value);
    // An answer that no form shows is given by another.
    if (draft === null) return void (await this.otherwise(question));
    const wanted = acts(question.form, question.options, draft);
    const drawn = wanted.filter(({ wander }) => wander !== undefined);
    const named = wanted.flatMap(({ click, drag }) => click ?? drag ?? []);
    this.slips = [];
    if ((await page.locator('.board .grab').count()) > 0) this.draggable += 1;
    for (let tried = 0; tried < 8; tried++) {
      await atRest(page);
      // What the advice wants may be hard to get at, such as one of many directions; the piece is then sent elsewhere.
      if (tried < 3) for (const act of wanted) await this.act(act);
      else if (tried % 2 === 1 && drawn.length > 0) for (const act of drawn) await this.act(act);
      else for (const id of named) await this.act(tried % 4 < 2 ? { wander: id } : { click: id });
      if (await this.ready()) {
        const own = page.locator(`.question[data-at="${situation.at}"]`);
        // What the pointer explained goes away before the click.
        await page.mouse.move(...(await middle(this.pointer.give)));
        await this.before();
        await this.pointer.on(this.pointer.give);
        const refused = page.locator('.question .refused').first();
        await Promise.race([own.waitFor({ state: 'detached' }), refused.waitFor().catch(() => {})]);
        if ((await own.count()) === 0) {
          const how = tried < 3 ? 'advice' : 'elsewhere';
          return void this.answers.push({ code: question.prompt.code, how, slips: this.slips });
        }
      }
      if ((await letGo(page).count()) > 0) await this.pointer.on(letGo(page));
      this.slips = [];
    }
    await this.otherwise(question);
  }

  /** Whatever else the board offers is as good an answer. */
  async otherwise({ prompt, options }) {
    const how = await answerByHand(this.page, this.pointer, this.chance, this.done, this.before);
    const named = options.some(({ pieces = [] }) => pieces.length > 0);
    this.answers.push({ code: prompt.code, how, slips: how === 'strip' && named ? ['the strip'] : [] });
  }
}
