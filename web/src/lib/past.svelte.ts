import type { GameState, Refusal } from '../wire/types';
import { api, refusalOf } from './api';

/** A replay of a game: one step, from one point of view. */
export class Past {
  /** The step shown; null shows the present. */
  step = $state<number | null>(null);
  /** The point of view: a seat number, `spectator` or `all`; empty for as much as the viewer may see. */
  eyes = $state('');
  state = $state.raw<GameState | null>(null);
  fault = $state.raw<Refusal | null>(null);
  busy = $state(false);
  private wanted = false;

  constructor(
    private readonly game: string,
    private readonly token: () => string | undefined,
  ) {}

  /** Goes to a step. While one is being fetched, only the latest request is kept. */
  async seek(step: number, eyes = this.eyes): Promise<void> {
    [this.step, this.eyes] = [step, eyes];
    this.wanted = true;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted && this.step !== null) {
      this.wanted = false;
      try {
        const found = await api.replay(this.game, this.step, this.eyes, this.token());
        if (this.step !== null) [this.state, this.fault] = [found, null];
      } catch (error) {
        this.fault = refusalOf(error);
      }
    }
    this.busy = false;
  }

  close(): void {
    [this.step, this.state, this.fault, this.wanted] = [null, null, null, false];
  }
}
