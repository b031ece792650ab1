import type { Form, FormItem, OptionView } from '../wire/types';
import { openWay, type Draft } from './answer';
import { courseWords } from './course';

const chosenWords = (items: FormItem[], chosen: Record<string, number | null>): string[] =>
  items.flatMap((item) => {
    const option = item.options[chosen[item.id] ?? -1];
    return option && option.value !== null ? [`${item.label}: ${option.label}`] : [];
  });

/** An answer in preparation, in words; null while nothing is chosen. */
export function draftWords(form: Form, options: OptionView[], draft: Draft): string | null {
  const [open, inner] = openWay(form, draft);
  const listed = (words: string[], none: string | null = 'none') => (words.length > 0 ? words.join(', ') : none);
  if (inner.kind === 'pick') return options[inner.option ?? -1]?.label ?? null;
  if (open.kind === 'course' && inner.kind === 'course') return courseWords(open, inner);
  if (open.kind === 'assign' && inner.kind === 'assign')
    return listed(chosenWords(open.items, inner.chosen), open.none);
  if (open.kind === 'subset' && inner.kind === 'subset')
    return listed(open.items.filter((item) => inner.chosen[item.id]).map((item) => item.label));
  if (open.kind === 'numbers' && inner.kind === 'numbers')
    return listed(
      open.items.filter((item) => inner.numbers[item.id]).map((item) => `${item.label} ${inner.numbers[item.id]}`),
    );
  if (open.kind === 'points' && inner.kind === 'points') {
    const marked = inner.points.length;
    if (marked === 0) return null;
    return listed([
      marked === 1 ? 'to the marked point' : `along ${marked} marked points`,
      ...chosenWords(open.items ?? [], inner.chosen),
    ]);
  }
  if (open.kind === 'parts' && inner.kind === 'parts')
    return listed([
      ...open.places.filter((place) => inner.places[place.id]).map((place) => `${place.label} placed`),
      ...chosenWords(open.items, inner.chosen),
    ]);
  return null;
}
