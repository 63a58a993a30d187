import { AsyncLocalStorage } from 'node:async_hooks';
import { table } from '../../../shared/wiring/runtime.ts';
import { between, pickOne } from '../../support/seeded.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { sendThrough } from '../../support/table/send-through.ts';

/** How a function dies: at its n-th step, or at the n-th one with a name. */
export interface Doom {
  at: number;
  step?: string;
}

interface Life extends Doom {
  isOver: boolean;
  end: (step: string) => void;
}

const lives = new AsyncLocalStorage<Life>();

/** None of the calls of a function that has died has an effect. */
function pass(step: string): void {
  const life = lives.getStore();
  if (!life) return;
  if (!life.isOver && (life.step === undefined || life.step === step)) {
    life.at -= 1;
    if (life.at <= 0) {
      life.isOver = true;
      life.end(step);
    }
  }
  if (life.isOver) throw new Error('The function was killed on purpose.');
}

async function around<Answer>(call: string, act: () => Promise<Answer>): Promise<Answer> {
  pass(`before ${call}`);
  const answer = await act();
  pass(`after ${call}`);
  return answer;
}

const callName = (method: string, path: string): string =>
  `${method} ${path.replace(/\/(cs|pi|re|du)_\w+/, '/{id}').replace(/\?.*/, '')}`;

/** How many times shorter a function's pauses between two attempts are, so that a campaign waits less. */
const hurry = 20;

/** Makes every call of the table and of the processor a step at which a function can die; returns the way back. */
export function makeMortal(processorUrl: string): () => void {
  const restorePauses = shortenPauses(hurry, () => lives.getStore() !== undefined);
  const restore = sendThrough(
    table().client,
    (send) => (command) => around(command.constructor.name.replace(/Command$/, ''), () => send(command)),
  );
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(`${processorUrl}/v1/`)) return real(input, init);
    return around(callName(init?.method ?? 'GET', url.slice(`${processorUrl}/v1/`.length)), () => real(input, init));
  };
  return () => {
    globalThis.fetch = real;
    restorePauses();
    restore();
  };
}

/** The steps of processor.md that matter most, by function. */
const namedSteps: Readonly<Record<string, readonly string[]>> = {
  'checkout/pay-checkout': ['before POST checkout/sessions', 'after POST checkout/sessions'],
  'checkout/change-checkout': ['before POST checkout/sessions/{id}/expire', 'after POST checkout/sessions/{id}/expire'],
  'checkout/return-checkout': ['after GET checkout/sessions/{id}', 'after TransactWrite'],
  'processor/receive-notification': [
    'after GET checkout/sessions/{id}',
    'after TransactWrite',
    'after GET disputes/{id}',
    'after GET refunds',
  ],
  'refunds/create-refund': ['before POST refunds', 'after POST refunds'],
  'events/sweep-due': ['after POST checkout/sessions', 'after POST refunds', 'after TransactWrite'],
};

const mostSteps = 16;

/** Chooses how a function dies. */
export function doomOf(random: () => number, name: string): Doom {
  const steps = namedSteps[name];
  return steps && random() < 0.6 ? { at: 1, step: pickOne(random, steps) } : { at: between(random, 1, mostSteps) };
}

/** Runs a function that may die; undefined: it did, and its caller hears nothing. */
export async function runMortal<Answer>(
  doom: Doom | undefined,
  died: (step: string) => void,
  run: () => Promise<Answer>,
): Promise<Answer | undefined> {
  if (!doom) return lives.run({ at: Infinity, isOver: false, end: () => {} }, run);
  const { promise: death, resolve } = Promise.withResolvers<undefined>();
  const life: Life = {
    ...doom,
    isOver: false,
    end: (step) => {
      died(step);
      resolve(undefined);
    },
  };
  const work = lives.run(life, run).catch((error: unknown) => {
    if (life.isOver) return undefined;
    throw error;
  });
  return Promise.race([death, work]);
}
