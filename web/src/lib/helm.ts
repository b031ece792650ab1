import { atSpeed, steered, STEP, type CourseForm, type Plotted } from './course';

/** What a key does to a course: arrows turn and change speed, Shift to the limits, a letter toggles its item. */
export function helm(form: CourseForm, plotted: Plotted, key: string, shift: boolean): Plotted | null {
  switch (key) {
    case 'ArrowLeft':
      return shift ? hard(form, plotted, -STEP) : steered(form, plotted, -STEP);
    case 'ArrowRight':
      return shift ? hard(form, plotted, STEP) : steered(form, plotted, STEP);
    case 'ArrowUp':
      return atSpeed(form, plotted, shift ? form.speeds[1] : plotted.speed + 1);
    case 'ArrowDown':
      return atSpeed(form, plotted, shift ? form.speeds[0] : plotted.speed - 1);
    case 'Backspace':
      return { ...plotted, turns: [] };
  }
  const item = /^[a-z]$/i.test(key)
    ? (form.items ?? []).find((one) => one.id.toLowerCase().startsWith(key.toLowerCase()))
    : undefined;
  if (!item) return null;
  const count = item.options.length;
  return { ...plotted, chosen: { ...plotted.chosen, [item.id]: ((plotted.chosen[item.id] ?? 0) + 1) % count } };
}

/** As far round as one turn goes. */
function hard(form: CourseForm, plotted: Plotted, by: number): Plotted {
  let next = plotted;
  for (let turned = 0; turned < form.turn; turned += STEP) next = steered(form, next, by);
  return next;
}

