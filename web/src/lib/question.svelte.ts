import type { About, Json, Refusal, SystemBrief, SystemDetail } from '../wire/types';
import { api, refusalOf } from './api';
import type { Route } from './route';

/** The systems and the procedure that an address of the referee's or the odds page names. */
export class Desk {
  systems = $state.raw<SystemBrief[]>([]);
  system = $state.raw<SystemDetail | null>(null);
  about = $state.raw<About | null>(null);
  fault = $state.raw<Refusal | null>(null);

  async open(route: Route): Promise<void> {
    try {
      if (this.systems.length === 0) this.systems = await api.systems();
      const id = route.path[1] ?? this.systems[0]?.id;
      if (!id) return;
      if (this.system?.id !== id) this.system = await api.system(id);
      this.about = this.system.procedures.find((one) => one.name === (route.path[2] ?? this.system?.procedures[0]?.name)) ?? null;
      this.fault = this.about || this.system.procedures.length === 0 ? null : { code: 'unknown-procedure', message: `${this.system.title} has no such procedure.` };
    } catch (error) {
      this.fault = refusalOf(error);
    }
  }
}

/** Replaces the question in the address without a step in the history. */
export function keepInAddress(hash: string): void {
  history.replaceState(null, '', hash);
}

export type { Json };
