// Sheets: a part for each of several pieces, answered together and carried out in the order of their entries.
import type { Form, FormPart, Json, SeatQuestion } from '../wire/types';
import { aims, blank, draftOf, make, openWay, withOpenWay, type Draft, type Made } from './answer';

export type SheetForm = Extract<Form, { kind: 'sheet' }>;
export type SheetDraft = Extract<Draft, { kind: 'sheet' }>;
/** One entry of a sheet. */
export interface Entry {
  part: string;
  draft: Draft;
}

const partOf = (form: SheetForm, id: string): FormPart | undefined => form.parts.find((part) => part.id === id);

/** A sheet as it begins: what each part begins with, and a blank entry for a part that needs one. */
export function blankSheet(form: SheetForm): SheetDraft {
  const entries = form.parts.flatMap((part): Entry[] => {
    const begun = (part.begins ?? []).flatMap((value) => draftOf(part.form, part.options ?? [], value) ?? []);
    if (begun.length > 0) return begun.map((draft) => ({ part: part.id, draft }));
    return part.left_out ? [] : [{ part: part.id, draft: blank(part.form, part.options ?? []) }];
  });
  return { kind: 'sheet', entries, open: entries.length === 1 ? 0 : null };
}

/** The answer of a sheet, or what is missing in its first part that is not complete. */
export function makeSheet(form: SheetForm, draft: SheetDraft): Made {
  const list: Json[] = [];
  for (const entry of draft.entries) {
    const part = partOf(form, entry.part);
    if (!part) return { wants: 'Choose an answer.' };
    const made = make(part.form, part.options ?? [], entry.draft);
    if ('wants' in made) return { wants: `${part.label}: ${made.wants}` };
    list.push({ ...(made.value as Record<string, Json>), [form.key]: part.id });
  }
  for (const part of form.parts) {
    const count = draft.entries.filter((entry) => entry.part === part.id).length;
    if (count > part.most) return { wants: `${part.label} has ${count} entries; at most ${part.most}.` };
    if (count === 0 && !part.left_out) return { wants: `${part.label} has no entry.` };
  }
  return { value: list };
}

/** The sheet of an answer, if every entry can be expressed. */
export function sheetOf(form: SheetForm, value: Json): SheetDraft | null {
  if (!Array.isArray(value)) return null;
  const entries: Entry[] = [];
  for (const one of value) {
    if (one === null || typeof one !== 'object' || Array.isArray(one)) return null;
    const { [form.key]: id, ...rest } = one as Record<string, Json>;
    const part = typeof id === 'string' ? partOf(form, id) : undefined;
    const draft = part && draftOf(part.form, part.options ?? [], rest);
    if (!part || !draft) return null;
    entries.push({ part: part.id, draft });
  }
  return { kind: 'sheet', entries, open: null };
}

/** The question that is being answered: the open part of a sheet, else the question itself. */
export interface Opened {
  question: SeatQuestion;
  draft: Draft;
  /** Puts another draft in its place. */
  put: (inner: Draft) => Draft;
  part: FormPart | null;
}

export function opened(question: SeatQuestion, draft: Draft): Opened {
  const [form, sheet] = openWay(question.form, draft);
  if (form.kind === 'sheet' && sheet.kind === 'sheet') {
    const entry = sheet.entries[sheet.open ?? -1];
    const part = entry && partOf(form, entry.part);
    if (entry && part)
      return {
        question: { ...question, form: part.form, options: part.options ?? [] },
        draft: entry.draft,
        put: (inner) => withOpenWay(draft, withEntry(sheet, sheet.open!, inner)),
        part,
      };
  }
  return { question, draft, put: (inner) => inner, part: null };
}

/** Replaces the draft of an entry. */
export function withEntry(sheet: SheetDraft, at: number, draft: Draft): SheetDraft {
  return { ...sheet, entries: sheet.entries.map((entry, n) => (n === at ? { ...entry, draft } : entry)) };
}

/** Opens the entry of a part; adds one if it has none, with what it begins with. */
export function withOpenPart(form: SheetForm, sheet: SheetDraft, id: string): SheetDraft {
  const at = sheet.entries.findIndex((entry) => entry.part === id);
  if (at >= 0) return { ...sheet, open: at };
  const part = partOf(form, id);
  return part ? withMore(sheet, part) : sheet;
}

/** Adds an entry for a part and opens it. */
export function withMore(sheet: SheetDraft, part: FormPart): SheetDraft {
  const begins = part.begins?.[0] ?? part.options?.[0]?.value;
  const options = part.options ?? [];
  const draft = (begins === undefined ? null : draftOf(part.form, options, begins)) ?? blank(part.form, options);
  return { ...sheet, entries: [...sheet.entries, { part: part.id, draft }], open: sheet.entries.length };
}

/** Takes an entry off the sheet. */
export function without(sheet: SheetDraft, at: number): SheetDraft {
  return { ...sheet, entries: sheet.entries.filter((_, n) => n !== at), open: null };
}

/** Moves an entry earlier or later. */
export function withMoved(sheet: SheetDraft, at: number, by: -1 | 1): SheetDraft {
  const to = at + by;
  if (!sheet.entries[at] || !sheet.entries[to]) return sheet;
  const entries = [...sheet.entries];
  [entries[at], entries[to]] = [entries[to]!, entries[at]!];
  return { ...sheet, entries, open: sheet.open === at ? to : sheet.open === to ? at : sheet.open };
}

/** The pieces that the entries of a sheet aim at. */
export function sheetAims(question: SeatQuestion, form: SheetForm, sheet: SheetDraft): ReturnType<typeof aims> {
  return sheet.entries.flatMap((entry) => {
    const part = partOf(form, entry.part);
    if (!part) return [];
    const options = part.options ?? [];
    const [open, inner] = openWay(part.form, entry.draft);
    const picked = open.kind === 'pick' && inner.kind === 'pick' ? options[inner.option ?? -1] : undefined;
    const direct = (picked?.pieces ?? []).filter((to) => to !== part.id);
    return [
      ...direct.map((to) => ({ from: part.id, to, label: picked!.label })),
      ...aims({ ...question, form: part.form, options }, entry.draft).map((aim) => ({ ...aim, from: part.id })),
    ];
  });
}
