import { expect, it } from 'vitest';
import { stepsToGoLive } from '../../shared/domain/reports/going-live.ts';
import { loadGoingLive } from '../../shared/use-cases/reports/load-going-live.ts';

const nothing = {
  hasProducts: false,
  isLive: false,
  hasProcessor: false,
  hasAnswered: false,
  hasSold: false,
  collectsTax: false,
  meetsDuties: false,
};
const doneOf = (facts: Partial<typeof nothing>) =>
  stepsToGoLive({ ...nothing, ...facts }, false).flatMap(({ step, isDone }) => (isDone ? [step] : []));

it.each([
  { fact: 'hasProducts', step: 'product' },
  { fact: 'isLive', step: 'live' },
  { fact: 'hasProcessor', step: 'processor' },
  { fact: 'hasAnswered', step: 'key' },
  { fact: 'collectsTax', step: 'tax' },
  { fact: 'meetsDuties', step: 'texts' },
  { fact: 'hasSold', step: 'sale' },
])('the fact $fact completes only the step "$step" of going live', ({ fact, step }) => {
  expect(doneOf({ [fact]: true })).toEqual([step]);
});

it('the list of steps in a sandbox ends with the step to live mode', () => {
  const all = {
    hasProducts: true,
    isLive: true,
    hasProcessor: true,
    hasAnswered: true,
    hasSold: true,
    collectsTax: true,
    meetsDuties: true,
  };
  const missing = stepsToGoLive(all, true).flatMap(({ step, isDone }) => (isDone ? [] : [step]));
  expect(missing).toEqual(['deploy']);
  const steps = stepsToGoLive({ ...nothing, hasProducts: true }, true);
  expect(steps.flatMap(({ step, isDone }) => (isDone ? [] : [step]))).toEqual(['trial', 'deploy']);
});

const settings = { isSandbox: false, isLive: true, hasProcessor: true, collectsEverywhere: false };

/** What is done where these payments are listed. */
async function stepsAfter(
  payments: { gross: number; status: string }[],
  { registrations = [], meetsDuties = true }: { registrations?: object[]; meetsDuties?: boolean } = {},
) {
  const deps = {
    payments: { listBriefly: async () => ({ items: payments, hasMore: false, last: undefined }) },
    taxRules: { get: async () => ({ registrations }) },
    settings,
  } as unknown as Parameters<typeof loadGoingLive>[0];
  const steps = await loadGoingLive(deps, { hasProducts: true, hasSold: false, meetsDuties });
  return steps?.flatMap(({ step, isDone }) => (isDone ? [] : [step]));
}

it.each([
  { name: 'nothing was paid', payments: [], missing: ['key', 'tax', 'sale'] },
  { name: 'something was given away', payments: [{ gross: 0, status: 'succeeded' }], missing: ['key', 'tax', 'sale'] },
  { name: 'a payment failed', payments: [{ gross: 100, status: 'failed' }], missing: ['tax', 'sale'] },
  { name: 'a payment succeeded', payments: [{ gross: 100, status: 'succeeded' }], missing: ['tax'] },
])('when $name, the missing steps are $missing', async ({ payments, missing }) => {
  expect(await stepsAfter(payments)).toEqual(missing);
});

it('the list of steps disappears when all steps are done', async () => {
  expect(
    await stepsAfter([{ gross: 100, status: 'succeeded' }], { registrations: [{ country: 'DE' }] }),
  ).toBeUndefined();
});

it('missing legal texts are a step before the first sale, and no step after it', async () => {
  const registrations = [{ country: 'DE' }];
  expect(await stepsAfter([], { registrations, meetsDuties: false })).toEqual(['key', 'texts', 'sale']);
  const sold = [{ gross: 100, status: 'succeeded' }];
  expect(await stepsAfter(sold, { registrations, meetsDuties: false })).toBeUndefined();
});
