import { UsageError } from '../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../kit/command.ts';
import type { Context } from './context.ts';
import { ApiRefusal, NotHappened } from './failures.ts';
import { laterBy } from './moment.ts';

interface Clock {
  now: string;
  ahead_seconds: number;
}

const path = '/local/clock';

async function clock(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const api = await context.connect();
  const known = await api.get<Clock>(path).catch((error: unknown): never => {
    if (!(error instanceof ApiRefusal) || error.answer.status !== 404) throw error;
    throw new NotHappened(`${api.url} has no clock that can be moved. Only a sandbox of "npm start" has one.`);
  });
  const [step] = typed.words;
  if (step === undefined) return shown(known);
  const to = laterBy(step, new Date(known.now));
  if (to < known.now) throw new UsageError(`The clock only goes forward: it is ${known.now}.`);
  return shown(await api.post<Clock>(path, { to }));
}

const shown = (read: Clock): CommandOutcome => ({
  text: read.ahead_seconds === 0 ? read.now : `${read.now}  ${read.ahead_seconds} seconds ahead`,
  json: read,
});

export const clockCommand: ProgramCommand<Context> = {
  name: 'clock',
  summary: 'Shows the clock of a sandbox on this machine, or moves it forward.',
  takes: ['[step]'],
  details: `A step is a span such as 90s, 10m, 25h or 30d, or a time such as 2026-11-22T10:00:00Z. What is due by then happens at
once: sessions expire, webhooks are tried again, licences end. The clock never goes back; "npm start -- --data" with
another folder begins again. Signatures of webhooks, and calls to AWS, keep the real time.`,
  examples: ['clock', 'clock 25h', 'clock 2030-01-01T00:00:00Z'],
  run: clock,
};
