import type {
  AnalysisBody,
  AnalysisState,
  AnswerBody,
  Chart,
  Considered,
  CreateGame,
  Created,
  CreatedSeat,
  DiceBody,
  Done,
  EntropyBody,
  FieldOdds,
  GameState,
  Hint,
  Insight,
  Json,
  LessonBrief,
  LessonState,
  Me,
  PlayerInfo,
  Preview,
  PuzzleAnswer,
  PuzzleBrief,
  PuzzleOverview,
  PuzzleResult,
  PuzzleState,
  Refusal,
  Refused,
  RematchBody,
  RuleExample,
  Ruling,
  RulesPage,
  SystemBrief,
  SystemDetail,
  TableInfo,
  TakeBody,
  Term,
  UndoBody,
  Verdict,
} from '../wire/types';

/** An error reply of the server. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    /** The new state, if the answer came too late. */
    readonly state?: GameState,
  ) {
    super(refusal.message);
  }
}

/** An error as a refusal to show. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiError) return error.refusal;
  return {
    code: 'offline',
    message: 'The server does not answer.',
    remedy: 'Check that it is running and that you are connected.',
  };
}

/** Which reply to a change is wanted: the whole state, or, where a stream brings it, how far the game has come. */
export type Reply = 'state' | 'minimal';

/** How often a request is sent that the server limits for a moment, and the longest such moment in seconds. */
const SENT_AT_MOST = 4;
const MOMENT = 3;

/** The reply to a request; one that the server limits for a moment is sent again after it, since nothing was done. */
async function send(path: string, init: RequestInit): Promise<Response> {
  for (let sent = 1; ; sent += 1) {
    const response = await fetch(path, init);
    const seconds = response.status === 429 ? Number(response.headers.get('Retry-After')) : 0;
    if (!(seconds > 0 && seconds <= MOMENT) || sent === SENT_AT_MOST) return response;
    await new Promise((done) => setTimeout(done, 1000 * seconds));
  }
}

async function call<T>(
  method: string,
  path: string,
  options: { body?: unknown; token?: string | undefined; text?: boolean; reply?: Reply } = {},
): Promise<T> {
  const headers: Record<string, string> = { 'X-Flagplot': '1' };
  if (options.token) headers.Authorization = `Bearer ${options.token}`;
  if (options.reply === 'minimal') headers.Prefer = 'return=minimal';
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (options.body !== undefined) {
    const plain = typeof options.body === 'string';
    headers['Content-Type'] = plain ? 'text/plain' : 'application/json';
    init.body = plain ? (options.body as string) : JSON.stringify(options.body);
  }
  const response = await send(path, init);
  const text = await response.text();
  if (response.ok && options.text) return text as T;
  let reply: Partial<Refused> | null = null;
  try {
    reply = text === '' ? {} : JSON.parse(text);
  } catch {
    /* Reported below. */
  }
  if (response.ok && reply !== null) return reply as T;
  throw new ApiError(
    response.status,
    reply?.error ?? { code: `http-${response.status}`, message: `The server answered ${response.status}.` },
    reply?.state,
  );
}

const game = (id: string, rest = '') => `/api/games/${encodeURIComponent(id)}${rest}`;

export const api = {
  systems: () => call<SystemBrief[]>('GET', '/api/systems'),
  system: (id: string) => call<SystemDetail>('GET', `/api/systems/${encodeURIComponent(id)}`),
  rules: (id: string) => call<RulesPage>('GET', `/api/systems/${encodeURIComponent(id)}/rules`),
  glossary: (id: string) => call<Term[]>('GET', `/api/systems/${encodeURIComponent(id)}/glossary`),
  examples: (id: string) => call<RuleExample[]>('GET', `/api/systems/${encodeURIComponent(id)}/examples`),
  puzzles: () => call<PuzzleOverview>('GET', '/api/puzzles'),
  puzzlesOf: (system: string) => call<PuzzleBrief[]>('GET', `/api/systems/${encodeURIComponent(system)}/puzzles`),
  puzzle: (id: string) => call<PuzzleState>('GET', `/api/puzzles/${encodeURIComponent(id)}`),
  answerPuzzle: (id: string, body: PuzzleAnswer) =>
    call<PuzzleResult>('POST', `/api/puzzles/${encodeURIComponent(id)}/answer`, { body }),
  lessons: () => call<LessonBrief[]>('GET', '/api/lessons'),
  lesson: (system: string, answers: Json[]) =>
    call<LessonState>('POST', `/api/lessons/${encodeURIComponent(system)}`, { body: { answers } }),
  explainLesson: (system: string, answers: Json[], value?: Json) =>
    call<Insight[]>('POST', `/api/lessons/${encodeURIComponent(system)}/explain`, {
      body: value === undefined ? { answers } : { answers, value },
    }),
  previewLesson: (system: string, answers: Json[], value: Json) =>
    call<Preview>('POST', `/api/lessons/${encodeURIComponent(system)}/preview`, { body: { answers, value } }),
  players: () => call<PlayerInfo[]>('GET', '/api/players'),
  adjudicate: (request: Record<string, Json>) => call<Ruling>('POST', '/api/adjudicate', { body: request }),
  odds: (request: Record<string, Json>) =>
    call<{ odds: FieldOdds }>('POST', '/api/odds', { body: { ...request, odds: true } }),
  create: (wanted: CreateGame) => call<Created>('POST', '/api/games', { body: wanted }),
  importGame: (record: string) => call<Created>('POST', '/api/games/import', { body: record }),
  verify: (record: string) => call<Verdict>('POST', '/api/verify', { body: record }),
  state: (id: string, token?: string) => call<GameState>('GET', game(id), { token }),
  scenario: (id: string, name: string, title: string, token?: string) =>
    call<string>('GET', game(id, `/scenario?id=${encodeURIComponent(name)}&title=${encodeURIComponent(title)}`), {
      token,
      text: true,
    }),
  tables: (system: string) => call<Chart[]>('GET', `/api/systems/${encodeURIComponent(system)}/tables`),
  table: (system: string) => call<TableInfo>('GET', `/api/systems/${encodeURIComponent(system)}/table`),
  consider: (id: string, token: string | undefined, value: Json) =>
    call<Considered>('POST', game(id, '/consider'), { token, body: { value } }),
  replay: (id: string, at: number, as: string, token?: string) =>
    call<GameState>('GET', game(id, `/replay?${new URLSearchParams({ at: String(at), ...(as ? { as } : {}) })}`), {
      token,
    }),
  analysis: (id: string, token: string | undefined, body: AnalysisBody) =>
    call<AnalysisState>('POST', game(id, '/analysis'), { token, body }),
  export: (id: string, token?: string) => call<string>('GET', game(id, '/export'), { token, text: true }),
  answer: (id: string, token: string, body: AnswerBody, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/answer'), { token, body, reply }),
  dice: (id: string, token: string, body: DiceBody, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/dice'), { token, body, reply }),
  undo: (id: string, token: string, body: UndoBody, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/undo'), { token, body, reply }),
  resign: (id: string, token: string, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/resign'), { token, body: {}, reply }),
  draw: (id: string, token: string, offer: boolean, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/draw'), { token, body: { offer }, reply }),
  chat: (id: string, token: string, text: string) =>
    call<unknown>('POST', game(id, '/chat'), { token, body: { text }, reply: 'minimal' }),
  notes: (id: string, token: string, text: string) =>
    call<unknown>('PUT', game(id, '/notes'), { token, body: { text } }),
  explain: (id: string, token: string, value?: Json) =>
    call<Insight[]>('POST', game(id, '/explain'), { token, body: value === undefined ? {} : { value } }),
  preview: (id: string, token: string, value: Json) =>
    call<Preview>('POST', game(id, '/preview'), { token, body: { value } }),
  hint: (id: string, token: string, player?: string) =>
    call<Hint>('POST', game(id, '/hint'), { token, body: player ? { player } : {} }),
  entropy: (id: string, token: string, body: EntropyBody, reply: Reply) =>
    call<GameState | Done>('POST', game(id, '/entropy'), { token, body, reply }),
  take: (id: string, body: TakeBody) => call<CreatedSeat>('POST', game(id, '/take'), { body }),
  invite: (id: string, token: string, seat: number) =>
    call<CreatedSeat>('POST', game(id, '/invite'), { token, body: { seat } }),
  rematch: (id: string, token: string, body: RematchBody) =>
    call<Created>('POST', game(id, '/rematch'), { token, body }),
  me: () => call<Me>('GET', '/api/me'),
  register: (name: string, password: string, email?: string) =>
    call<unknown>('POST', '/api/account', { body: { name, password, ...(email ? { email } : {}) } }),
  login: (name: string, password: string) => call<unknown>('POST', '/api/session', { body: { name, password } }),
  logout: () => call<unknown>('DELETE', '/api/session'),
};

/** Random bytes as text: by default a new id for an answer, which, sent twice, counts once. */
export function freshId(length = 12): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
