import { ApiError, api, refusalOf } from '../lib/api';
import { drop, load, save } from '../lib/settings.svelte';
import { Table } from '../lib/table.svelte';
import { alike } from './light';
import type { Hint, Insight, Json, LessonState, Preview } from '../wire/types';

const key = (system: string) => `flagplot.lesson.${system}`;

/** How many steps of a system's lesson this browser has taken. */
export function taken(system: string): number {
  return load<Json[]>(key(system), []).length;
}

/** A lesson at the game page: the answers are kept in this browser, and the server plays them each time. */
export class LessonTable extends Table {
  lesson = $state.raw<LessonState | null>(null);
  /** What the lesson says to an answer that it does not want. */
  nudge = $state('');
  private answers: Json[];

  constructor(readonly system: string) {
    super(`lesson-${system}`, undefined);
    this.answers = load<Json[]>(key(system), []);
  }

  override open(): void {
    this.line = 'open';
    // Steps that were kept under an earlier lesson may no longer fit.
    void this.go(this.answers).then((found) => found || this.go([]));
  }

  override close(): void {}

  /** Plays the lesson with these answers and keeps them; says whether it went. */
  private async go(answers: Json[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.nudge = '';
    this.refusal = null;
    try {
      const next = await api.lesson(this.system, answers);
      this.answers = answers;
      if (answers.length > 0) save(key(this.system), answers);
      else drop(key(this.system));
      this.lesson = next;
      this.answered += 1;
      this.take({ ...next.state, version: (this.state?.version ?? 0) + 1 });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.refusal.code === 'not-this-step') this.nudge = error.refusal.message;
      else this.refusal = refusalOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  override answer(value: Json): Promise<boolean> {
    const wanted = this.lesson?.step?.answer;
    // The lesson's own spelling, because the server compares answers word by word.
    const spelt = wanted !== undefined && alike(value, wanted) ? wanted : value;
    return this.go([...this.answers, spelt]);
  }

  /** Takes the last step back. */
  override undo(): Promise<boolean> {
    return this.go(this.answers.slice(0, -1));
  }

  restart(): Promise<boolean> {
    return this.go([]);
  }

  override explain(value?: Json): Promise<Insight[]> {
    return api.explainLesson(this.system, this.answers, value);
  }

  override preview(value: Json): Promise<Preview> {
    return api.previewLesson(this.system, this.answers, value);
  }

  /** The answer that the lesson wants. */
  override hint(): Promise<Hint> {
    const value = this.lesson?.step?.answer ?? null;
    const label = "play this lesson's move, already filled in below";
    return Promise.resolve({ value, label, alternatives: [], method: '' });
  }
}
