import type { About, Example, Json, Refusal, SystemBrief, SystemDetail } from '../wire/types';
import { api, refusalOf } from './api';
import type { Route } from './route';

/** The systems, and the procedure that the address of the referee or odds page names. */
export class Desk {
  systems = $state.raw<SystemBrief[]>([]);
  system = $state.raw<SystemDetail | null>(null);
  about = $state.raw<About | null>(null);
  fault = $state.raw<Refusal | null>(null);

  /** An example input of the procedure. */
  get example(): Example | undefined {
    return this.system?.examples.find((one) => one.procedure === this.about?.name);
  }

  async open(route: Route): Promise<void> {
    try {
      if (this.systems.length === 0) this.systems = await api.systems();
      const id = route.path[1] ?? this.systems[0]?.id;
      if (!id) return;
      if (this.system?.id !== id) this.system = await api.system(id);
      const wanted = route.path[2] ?? this.system.examples[0]?.procedure;
      this.about = this.system.procedures.find((one) => one.name === wanted) ?? null;
      this.fault =
        this.about || this.system.procedures.length === 0
          ? null
          : { code: 'unknown-procedure', message: `${this.system.title} has no such procedure.` };
    } catch (error) {
      this.fault = refusalOf(error);
    }
  }
}

/** Whether two addresses lead to the same page, whatever its query. */
export const samePage = (one: string, other: string): boolean => one.split('?')[0] === other.split('?')[0];

/** Replaces the address without adding to the history, unless the reader is on the way to another page. */
export function keepInAddress(hash: string, page = hash): void {
  if (location.hash === '' || samePage(location.hash, page)) history.replaceState(null, '', hash);
}
