import type { Deck, Form, FormPlace, Json, OptionView, Point, Preview, SeatQuestion } from '../wire/types';
import {
  aims,
  blank,
  draftOf,
  draggable,
  gathered,
  goes,
  HANDLES,
  make,
  openWay,
  otherWays,
  ownerOf,
  placeInHand,
  touchable,
  wayAbout,
  wayOf,
  withOpenWay,
  type Draft,
  type Made,
} from './answer';
import { chipsOf, type Chip, type Choices } from './chips';
import { plansOf, readyPlans } from './fireplan';
import { isHex } from './options';
import { roomFor } from './numbers';
import { snapped } from './parts';
import { atSpeed, laid, lastTurn, legsOf, reach, track } from './course';
import { opened, sheetAims, withOpenPart, without, type Opened } from './sheet';
import type { Table } from './table.svelte';
import { verbOf } from './verb';

/** How long the pointer must rest before a preview is fetched, in milliseconds. */
const REST = 160;

/** A place with its present point; the current place is marked next. */
export interface Placed {
  place: FormPlace;
  at: Point | null;
  current: boolean;
}

/** A plotted course on the board. */
export interface Plot {
  piece: string;
  points: Point[];
  heading: number;
  /** Whether it is the one being changed. */
  open: boolean;
  /** The outline of what is within reach, while it is being changed. */
  reach: Point[];
  /** Where a further turn can be taken hold of. */
  turn: Point | null;
  speed: number;
  scale: number;
}

/** The forms whose drafts are shown while a piece is held, and previewed at once. */
const PLACED = ['points', 'parts', 'course'];

/** An answer in preparation: the draft, the piece in hand, and a preview of the outcome. */
export class Making {
  draft = $state.raw<Draft>({ kind: 'pick', option: null });
  /** The piece whose target is chosen next. */
  hand = $state<string | null>(null);
  /** The piece or place whose options are listed; null lists all. */
  only = $state<string | null>(null);
  /** The piece that another one was dropped on, while the choice about both is open. */
  private also = $state<string | null>(null);
  /** The heading whose options stand beside the piece. */
  private head = $state<string | null>(null);
  /** The preview of the answer as it is held or marked. */
  preview = $state.raw<{ title: string; found: Preview } | null>(null);
  looking = $state(false);
  /** The draft while a piece is being dragged. */
  private held = $state.raw<Draft | null>(null);
  private known = new Map<string, Preview>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest = '';

  constructor(
    private readonly table: () => Table,
    private readonly question: () => SeatQuestion | null,
    private readonly decks: () => Deck[] = () => [],
  ) {}

  /** Starts afresh for another question. */
  begin(): void {
    const question = this.question();
    this.known.clear();
    this.look(null);
    this.held = null;
    if (!question) return;
    this.draft = blank(question.form, question.options);
    // A fire plan begins with the one that is suggested, if that is a plan.
    const first = readyPlans(question)?.[0];
    if (first && Array.isArray(first.value))
      this.draft = draftOf(question.form, question.options, first.value) ?? this.draft;
    // A piece that went somewhere and can go on stays in hand.
    const on = this.hand !== null && this.hand === this.only && this.ways(this.hand).length > 0;
    this.hand = on ? this.hand : null;
    this.only = on ? this.only : null;
    this.also = this.head = null;
    this.table().refusal = null;
  }

  /** What is chosen as an answer, or what is missing. */
  get made(): Made {
    const question = this.fits ? this.question() : null;
    return question ? make(question.form, question.options, this.draft) : { wants: '' };
  }

  /** The verb of what is chosen. */
  get verb(): string {
    const question = this.question();
    if (this.table().state?.situation.waiting.secret) return 'Seal your choice';
    return question && this.fits ? verbOf(question, this.draft) : '';
  }

  /** Gives the answer that is chosen. */
  confirm(): void {
    const { made } = this;
    if ('value' in made && !this.table().busy) void this.table().answer(made.value);
  }

  /** Lets go of everything that was chosen for this question. */
  clear(): void {
    const question = this.question();
    if (!question) return;
    this.hand = this.only = this.also = this.head = null;
    this.set(blank(question.form, question.options));
  }

  /** Whether something is chosen that can be let go of. */
  get begun(): boolean {
    const question = this.fits ? this.question() : null;
    if (!question) return false;
    const empty = blank(question.form, question.options);
    return this.hand !== null || this.only !== null || JSON.stringify(this.draft) !== JSON.stringify(empty);
  }

  /** The pieces and places that the choices beside the board are about. */
  private get about(): string[] {
    const first = this.only ?? this.hand;
    return first === null ? [] : this.also === null ? [first] : [first, this.also];
  }

  /** The choices that stand on the board, the piece they stand beside, and whether they are about a piece. */
  get chips(): Choices {
    const found = this.fits ? this.inner() : null;
    if (!found) return { beside: null, about: false, list: [] };
    // What is aboard a carrier has its own choices, on her deck.
    const [about, plans] = [this.about, plansOf(found.question)];
    const deck = about.length === 1 ? this.decks().find((one) => one.piece === about[0]) : undefined;
    const aboard = new Set(deck?.aboard.map((one) => one.id) ?? []);
    const list = chipsOf(found.question, found.draft, about, this.head, plans, aboard);
    const beside = list.length > 0 ? (about.at(-1) ?? null) : null;
    // While a point of the board is marked, nothing stands in the way of the next click.
    const [form] = openWay(found.question.form, found.draft);
    const marks = form.kind === 'points' || (form.kind === 'parts' && form.places.length > 0);
    if (beside !== null) return { beside: marks ? null : beside, about: true, list };
    const rest = chipsOf(found.question, found.draft, [], this.head, plans);
    // A part of a sheet may be left out.
    const { part } = found;
    if (part?.left_out)
      rest.push({ label: `${part.label} ${part.left_out}`, note: '', chosen: false, does: { leave: true } });
    return { beside: null, about: part !== null, list: rest };
  }

  take({ does }: Chip): void {
    const found = this.inner();
    if (!found) return;
    if ('head' in does) {
      this.head = does.head;
      return;
    }
    if ('leave' in does) {
      const [form, sheet] = this.question() ? openWay(this.question()!.form, this.draft) : [];
      if (form?.kind === 'sheet' && sheet?.kind === 'sheet' && sheet.open !== null) {
        this.hand = this.only = null;
        this.set(withOpenWay(this.draft, without(sheet, sheet.open)));
      }
      return;
    }
    if ('plan' in does) {
      const draft = draftOf(found.question.form, found.question.options, does.plan.value);
      if (draft) this.set(found.put(draft));
      return;
    }
    if ('way' in does) {
      if (found.draft.kind === 'choices') this.set(found.put({ ...found.draft, way: does.way }));
      return;
    }
    if ('item' in does) {
      const [, inner] = openWay(found.question.form, found.draft);
      if ('chosen' in inner && inner.kind !== 'subset')
        this.setInner({ ...inner, chosen: { ...inner.chosen, [does.item]: does.option } } as Draft);
      return;
    }
    const option = found.question.options[does.option];
    const draft = option && draftOf(found.question.form, found.question.options, option.value);
    if (!draft) return;
    this.draft = found.put(draft);
    this.table().refusal = null;
    this.lookAt(this.draft);
  }

  /** What is being answered: the open part of a sheet, else the question itself. */
  private inner(draft: Draft = this.draft): Opened | null {
    const question = this.question();
    return question && opened(question, draft);
  }

  /** The form of a draft that is being changed. */
  private kind(draft: Draft): string | undefined {
    const inner = this.inner(draft);
    return inner ? openWay(inner.question.form, inner.draft)[0].kind : undefined;
  }

  /** The draft to show; it follows a piece that is held. */
  get current(): Draft {
    const moving = this.held && PLACED.includes(this.kind(this.held) ?? '');
    return moving && this.held ? this.held : this.draft;
  }

  get fits(): boolean {
    const question = this.question();
    return question !== null && question.form.kind === this.draft.kind;
  }

  get lit(): { sources: Set<string>; targets: Set<string> } {
    const inner = this.fits ? this.inner() : null;
    if (!inner) return { sources: new Set(), targets: new Set() };
    const lit = touchable(inner.question, inner.draft, this.hand, inner.part !== null);
    for (const id of this.parts) lit.sources.add(id);
    return lit;
  }

  /** The pieces that have a part on the sheet. */
  private get parts(): string[] {
    const question = this.question();
    const [form] = question ? openWay(question.form, this.draft) : [];
    return form?.kind === 'sheet' ? form.parts.map((part) => part.id) : [];
  }

  /** The courses plotted so far; the one being changed with what is within its reach. */
  get plots(): Plot[] {
    const question = this.fits ? this.question() : null;
    if (!question) return [];
    const [form, draft] = openWay(question.form, this.held ?? this.draft);
    const plot = (form: Form, draft: Draft, open: boolean): Plot[] => {
      const [course, plotted] = openWay(form, draft);
      if (course.kind !== 'course' || plotted.kind !== 'course') return [];
      const { points, heading } = track(course, plotted);
      const last = legsOf(course, plotted.speed, plotted.turns)?.at(-1);
      const room = last && 'ahead' in last ? last.ahead : 0;
      const [from, to] = [points.at(-2) ?? points[0]!, points.at(-1)!];
      const turn: Point = [Math.round((from[0] + to[0]) / 2), Math.round((from[1] + to[1]) / 2)];
      return [
        {
          piece: course.piece,
          points,
          heading,
          open,
          reach: open ? reach(course) : [],
          turn: open && plotted.turns.length > 0 && room >= course.run ? turn : null,
          speed: plotted.speed,
          scale: course.scale,
        },
      ];
    };
    if (form.kind !== 'sheet' || draft.kind !== 'sheet') return plot(form, draft, true);
    return draft.entries.flatMap((entry, at) => {
      const part = form.parts.find((one) => one.id === entry.part);
      return part ? plot(part.form, entry.draft, at === draft.open) : [];
    });
  }

  /** The options that send a piece to a hex. */
  private ways(piece: string): OptionView[] {
    return this.question()?.options.filter((option) => goes(option) && option.pieces?.includes(piece)) ?? [];
  }

  /** What stands beside the lit hexes: what it costs to go there. */
  get tags(): Map<string, string> {
    const all = this.hand === null ? [] : this.ways(this.hand);
    const tagged = ({ pieces = [], tag }: OptionView) =>
      tag ? pieces.filter(isHex).map((key): [string, string] => [key, tag]) : [];
    return new Map(all.flatMap(tagged));
  }

  /** Chooses an answer of the list; the verb of the question gives it. */
  private choose(option: OptionView): void {
    const question = this.question();
    const draft = question && draftOf(question.form, question.options, option.value);
    if (!question || !draft) return;
    this.draft = draft;
    this.table().refusal = null;
    this.lookAt(draft);
  }

  /** Chooses a hex for the piece in hand. */
  private go(piece: string, key: string): void {
    const all = this.ways(piece).filter((option) => option.pieces?.includes(key));
    if (!all[0]) return;
    this.hand = this.only = piece;
    this.choose(all[0]);
  }

  /** Gives the answer that is chosen; else chooses the one about no piece and no place: that the player is done. */
  done(): void {
    if ('value' in this.made) return this.confirm();
    const rest = this.question()?.options.filter((option) => !option.pieces?.length) ?? [];
    if (this.fits && rest.length === 1) this.choose(rest[0]!);
  }

  /** The pieces that can be dragged. */
  get grabs(): Set<string> {
    const inner = this.fits ? this.inner() : null;
    const out = inner ? draggable(inner.question, inner.draft) : new Set<string>();
    const question = this.question();
    const [form] = question ? openWay(question.form, this.draft) : [];
    if (form?.kind === 'sheet')
      for (const part of form.parts) if (part.form.kind === 'course') out.add(part.form.piece);
    return out;
  }

  get aims(): { from: string; to: string; label: string }[] {
    const question = this.question();
    if (!question || !this.fits) return [];
    const [form, sheet] = openWay(question.form, this.held ?? this.draft);
    if (form.kind === 'sheet' && sheet.kind === 'sheet') return sheetAims(question, form, sheet);
    return aims(question, this.held ?? this.draft);
  }

  /** The path being marked. */
  get path(): { piece: string | null; points: Point[]; reach: number | null } | null {
    const found = this.fits ? this.inner(this.held ?? this.draft) : null;
    if (!found) return null;
    const [form, inner] = openWay(found.question.form, found.draft);
    return form.kind === 'points' && inner.kind === 'points'
      ? { piece: form.piece, points: inner.points, reach: form.reach }
      : null;
  }

  /** The places to mark on the board, each with its present point. */
  get places(): Placed[] {
    const found = this.fits ? this.inner(this.held ?? this.draft) : null;
    if (!found) return [];
    const [form, inner] = openWay(found.question.form, found.draft);
    if (form.kind !== 'parts' || inner.kind !== 'parts') return [];
    const current = placeInHand(form.places, inner, this.hand);
    return form.places.map((place) => ({ place, at: inner.places[place.id] ?? null, current: place === current }));
  }

  /** Replaces the draft. */
  set(draft: Draft): void {
    this.draft = draft;
    this.table().refusal = null;
    // A marked path, place or course is previewed at once.
    const sheet = this.parts.length > 0;
    if (sheet || PLACED.includes(this.kind(draft) ?? '')) this.lookAt(draft);
    else this.look(null);
  }

  /** The whole draft with another one in the place of what is being answered. */
  private with(inner: Draft): Draft {
    const found = this.inner();
    return found ? found.put(withOpenWay(found.draft, inner)) : inner;
  }

  private setInner(inner: Draft): void {
    this.set(this.with(inner));
  }

  /** The draft with the part of a piece open; null if no sheet has it or it is open already. */
  private withPart(id: string): Draft | null {
    const question = this.question();
    if (!question) return null;
    const [form, sheet] = openWay(question.form, this.draft);
    if (form.kind !== 'sheet' || sheet.kind !== 'sheet' || !form.parts.some((part) => part.id === id)) return null;
    if (sheet.entries[sheet.open ?? -1]?.part === id) return null;
    return withOpenWay(this.draft, withOpenPart(form, sheet, id));
  }

  /** Handles a click on a piece or place. */
  touch(id: string): void {
    const found = this.inner();
    if (!found) return;
    this.also = this.head = null;
    const aimedAt = found.part !== null && touchable(found.question, found.draft, this.hand, true).targets.has(id);
    const part = aimedAt ? null : this.withPart(id);
    if (part) {
      this.hand = id;
      return this.set(part);
    }
    const { question } = found;
    const [form, inner] = openWay(question.form, found.draft);
    const way = found.part ? undefined : otherWays(question, this.draft).get(id);
    if (way !== undefined && this.draft.kind === 'choices' && question.form.kind === 'choices') {
      const there = question.form.ways[way]![1];
      this.hand = null;
      const drafts = this.draft.drafts.map((one, at) => (at === way ? gathered(there, one, id) : one));
      return this.set({ ...this.draft, way, drafts });
    }
    const whole = question.options.find((option) => !goes(option) && option.pieces?.includes(id));
    if (isHex(id) && whole && form.kind !== 'pick') return this.choose(whole);
    if (this.hand !== null && isHex(id) && this.ways(this.hand).some((option) => option.pieces?.includes(id)))
      return this.go(this.hand, id);
    if (!isHex(id) && this.ways(id).length > 0) {
      this.hand = this.only = this.hand === id ? null : id;
      this.draft = wayAbout(question.form, this.draft, id);
      return this.look(null);
    }
    if (form.kind === 'pick' && inner.kind === 'pick') {
      const matching = question.options.flatMap((option, at) => (option.pieces?.includes(id) ? [at] : []));
      // A spot of a hex is a whole step: its first option is chosen.
      if (matching.length === 1 || (matching.length > 1 && id.includes('@'))) {
        this.draft = this.with({ kind: 'pick', option: matching[0]! });
        this.table().refusal = null;
        this.lookAt(this.draft);
      }
      this.only = matching.length > 0 ? id : null;
    } else if (form.kind === 'assign' && inner.kind === 'assign') {
      const lit = this.lit;
      if (this.hand && this.hand !== id && lit.targets.has(id)) this.aim(this.hand, id);
      else if (lit.sources.has(id)) this.hand = this.hand === id ? null : id;
    } else if (form.kind === 'parts' && inner.kind === 'parts') {
      const own = form.items.find((one) => one.id === id);
      const extra = form.items.find(
        (one) =>
          (found.part !== null || one.options.some((option) => option.value === null)) &&
          one.options.some((option) => option.pieces?.includes(id)),
      );
      if (form.places.some((place) => place.id === id)) this.hand = id;
      else if (this.hand && this.hand !== id && this.lit.targets.has(id) && this.aimed(this.hand, id))
        this.aim(this.hand, id);
      else if (extra) this.aim(extra.id, id);
      else if (own?.options.length === 2 && own.options.some((option) => option.value === null)) {
        // What is either in or out changes with a click.
        this.hand = id;
        this.setInner({ ...inner, chosen: { ...inner.chosen, [id]: inner.chosen[id] === 0 ? 1 : 0 } });
      }
      // The hand may have moved to it by itself, so a click does not let go of it.
      else if (own) this.hand = id;
    } else if (form.kind === 'subset' && inner.kind === 'subset') {
      const item =
        form.items.find((one) => one.id === id) ??
        form.items.find((one) => one.options.some((option) => option.pieces?.includes(id)));
      if (item) this.setInner({ ...inner, chosen: { ...inner.chosen, [item.id]: !inner.chosen[item.id] } });
    } else if (form.kind === 'numbers' && inner.kind === 'numbers') {
      if (form.items.some((one) => one.id === id) && roomFor(form, inner.numbers, id) > 0)
        this.setInner({ ...inner, numbers: { ...inner.numbers, [id]: (inner.numbers[id] ?? 0) + 1 } });
    }
  }

  /** Aims one piece at another; if it is aimed there already, in the next way. */
  private aimed(from: string, to: string): { draft: Draft; next: string } | null {
    const found = this.inner();
    if (!found) return null;
    const [form, inner] = openWay(found.question.form, found.draft);
    if (!(form.kind === 'assign' && inner.kind === 'assign') && !(form.kind === 'parts' && inner.kind === 'parts'))
      return null;
    // Of several items of a piece the first that is still free is aimed, or else the last.
    const own = form.kind === 'assign' ? form.items.filter((one) => ownerOf(one) === from) : [];
    const able = own.filter((one) => one.options.some((option) => option.pieces?.includes(to)));
    const item =
      form.items.find((one) => one.id === from) ??
      able.find((one) => inner.chosen[one.id] === null || inner.chosen[one.id] === undefined) ??
      able.at(-1);
    const ways = item?.options.flatMap((option, at) => (option.pieces?.includes(to) ? [at] : [])) ?? [];
    if (!item || ways.length === 0) return null;
    const now = inner.chosen[item.id];
    // After its last way an optional item is left out.
    const none = form.kind === 'parts' ? item.options.findIndex((option) => option.value === null) : -1;
    if (none >= 0 && now === ways.at(-1))
      return { draft: this.with({ ...inner, chosen: { ...inner.chosen, [item.id]: none } }), next: from };
    const chosen = { ...inner.chosen, [item.id]: ways[(ways.indexOf(now ?? -1) + 1) % ways.length]! };
    const done = ways.length === 1 || ways.includes(now ?? -1);
    return {
      draft: this.with({ ...inner, chosen }),
      // A piece with more items stays in hand.
      next: done && item.id === from ? (form.items.find((one) => chosen[one.id] === null)?.id ?? from) : from,
    };
  }

  private aim(from: string, to: string): void {
    const found = this.aimed(from, to);
    if (!found) return;
    this.set(found.draft);
    this.hand = found.next;
  }

  /** Adds a point, or moves the last one; with several places, moves that of the piece. */
  private marked(draft: Draft, point: Point, piece?: string): Draft {
    const found = this.inner(draft);
    if (!found) return draft;
    const [form, inner] = openWay(found.question.form, found.draft);
    const put = (next: Draft): Draft => found.put(withOpenWay(found.draft, next));
    if (form.kind === 'course' && inner.kind === 'course') {
      // The ship takes its course anew, its end the last turn, the other handle adds a turn.
      const { turns } = inner;
      const before = turns.slice(0, turns.length - lastTurn(form, turns));
      const kept = piece === '@turn' ? turns : piece === '@bow' ? before : [];
      return put({ ...inner, ...laid(form, inner, kept, point) });
    }
    if (form.kind === 'parts' && inner.kind === 'parts') {
      const place = placeInHand(form.places, inner, piece ?? this.hand);
      return place
        ? put({ ...inner, places: { ...inner.places, [place.id]: snapped(place.regions, point) } })
        : draft;
    }
    if (form.kind !== 'points' || inner.kind !== 'points') return draft;
    const points =
      form.max === 1
        ? [point]
        : inner.points.length < form.max
          ? [...inner.points, point]
          : [...inner.points.slice(0, -1), point];
    return put({ ...inner, points });
  }

  mark(point: Point): void {
    const found = this.inner();
    const [form, inner] = found ? openWay(found.question.form, found.draft) : [];
    this.set(this.marked(this.draft, point));
    if (form?.kind !== 'parts' || !inner) return;
    // The next click marks the next place.
    const at = form.places.findIndex((place) => place === placeInHand(form.places, inner, this.hand));
    this.hand = form.places[(at + 1) % form.places.length]?.id ?? null;
  }

  /** Changes the speed of the course that is being plotted, by the wheel. */
  hasten(by: number): void {
    const found = this.inner();
    const [form, inner] = found ? openWay(found.question.form, found.draft) : [];
    if (form?.kind === 'course' && inner?.kind === 'course')
      this.setInner({ ...inner, ...atSpeed(form, inner, inner.speed + by) });
  }

  /** Moves a place by keys. */
  nudge(id: string, by: Point): void {
    const placed = this.places.find(({ place }) => place.id === id);
    if (!placed?.at) return;
    this.hand = id;
    this.set(this.marked(this.draft, [placed.at[0] + by[0], placed.at[1] + by[1]], id));
  }

  /** The draft of holding a piece over a place. */
  private carried(piece: string, at: Point, over: string | null): Draft | null {
    const part = this.withPart(piece);
    if (part && this.kind(part) === 'course') return this.marked(part, at, piece);
    const found = this.inner();
    if (!found) return null;
    const { question } = found;
    if ((HANDLES as readonly string[]).includes(piece)) return this.marked(this.draft, at, piece);
    const pair = this.pairing(piece, over);
    if (pair) return draftOf(question.form, question.options, pair.value);
    const way = wayOf(question.form, found.draft, piece);
    if (way) return this.marked(found.put(way), at, piece);
    const [form] = openWay(question.form, found.draft);
    if (!over || over === piece) return null;
    if (form.kind === 'assign' || form.kind === 'parts') return this.aimed(piece, over)?.draft ?? null;
    if (form.kind !== 'pick') return null;
    const key = this.placed(piece, over);
    const option = question.options.findIndex((one) => one.pieces?.includes(piece) && one.pieces.includes(key ?? ''));
    return option < 0 ? null : this.with({ kind: 'pick', option });
  }

  /** The first option about a piece and the one it is held over: an attack on it, a search for it. */
  private pairing(piece: string, over: string | null): OptionView | undefined {
    if (over === null || over === piece || isHex(over)) return undefined;
    const both = ({ pieces = [] }: OptionView) => pieces.includes(piece) && pieces.includes(over);
    const question = this.inner()?.question;
    return question?.options.find((one) => both(one) && draftOf(question.form, question.options, one.value) !== null);
  }

  /** What the options call the place of a piece held over a spot: the spot or its hex. */
  private placed(piece: string, over: string): string | null {
    const known = (place: string) =>
      this.question()?.options.some((one) => one.pieces?.includes(piece) && one.pieces.includes(place)) ?? false;
    const hex = over.split('@')[0]!;
    return known(over) ? over : known(hex) ? hex : null;
  }

  /** Handles a piece held over a point of the board, or over another piece or place. */
  drag(piece: string, at: Point, over: string | null): void {
    this.held = this.carried(piece, at, over);
    if (this.held) this.lookAt(this.held);
    else this.look(null);
  }

  /** Handles a drop. It changes the draft and sends nothing. */
  drop(piece: string, at: Point, over: string | null): void {
    this.held = null;
    this.also = this.head = null;
    if (this.pairing(piece, over) && this.kind(this.draft) !== 'assign') {
      const draft = this.carried(piece, at, over);
      if (draft) {
        // The first choice about both is made; the others stand beside it.
        this.hand = this.only = piece;
        this.also = over;
        this.draft = draft;
        return this.lookAt(draft);
      }
    }
    if (this.ways(piece).length > 0) return this.go(piece, this.placed(piece, over ?? '') ?? '');
    const draft = this.carried(piece, at, over);
    const found = draft && this.inner(draft);
    if (!draft || !found) return this.look(null);
    const [form] = openWay(found.question.form, found.draft);
    if (form.kind === 'parts' && form.places.some((place) => place.id === piece)) {
      this.hand = piece;
      this.only = this.only === null ? null : piece;
      this.set(draft);
    } else if ((form.kind === 'assign' || form.kind === 'parts') && over) this.aim(piece, over);
    else if (form.kind === 'pick') {
      // The first option that gets there is chosen; the others stay listed.
      this.only = this.placed(piece, over ?? '');
      this.draft = draft;
      this.lookAt(draft);
    } else this.set(draft);
  }

  private lookAt(draft: Draft): void {
    const question = this.question();
    if (!question) return;
    const made = make(question.form, question.options, draft);
    const [form, inner] = openWay(question.form, draft);
    const option = form.kind === 'pick' && inner.kind === 'pick' ? question.options[inner.option ?? -1] : undefined;
    this.look('value' in made ? made.value : null, option?.label ?? '');
  }

  /** Previews an option before it is chosen. */
  peek(option: OptionView | null): void {
    if (option) this.look(option.value, option.label);
    else this.look(null);
  }

  /** Fetches the preview of an answer once the pointer rests. */
  private look(value: Json | null, title = ''): void {
    clearTimeout(this.timer);
    const key = value === null ? '' : JSON.stringify(value);
    this.latest = key;
    const found = this.known.get(key);
    if (value === null || found) {
      this.looking = false;
      this.preview = found ? { title, found } : null;
      return;
    }
    this.looking = true;
    this.timer = setTimeout(() => void this.fetch(key, value, title), REST);
  }

  private async fetch(key: string, value: Json, title: string): Promise<void> {
    const table = this.table();
    // An answer on its way closes the question.
    if (table.busy || !this.question()) {
      this.looking = false;
      return;
    }
    try {
      const found = await table.preview(value);
      if (this.known.size > 200) this.known.clear();
      this.known.set(key, found);
      if (this.latest === key) this.preview = { title, found };
    } catch {
      // A missing preview is not an error to show the player.
      if (this.latest === key) this.preview = null;
    }
    if (this.latest === key) this.looking = false;
  }
}
