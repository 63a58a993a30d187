import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchPatiently } from '../../shared/pages/browser/patient-fetch.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server whose first answer never ends: either it does not begin, or its body stops. Returns the signals it got. */
function stallingOnce(first: 'no answer' | 'no end'): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const answer = (_: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    if (signals.length > 1) return Promise.resolve(new Response('paid'));
    if (first === 'no answer') return new Promise((_, reject) => onAbort(signal, reject));
    return Promise.resolve(
      new Response(new ReadableStream({ start: (body) => onAbort(signal, (e) => body.error(e)) })),
    );
  };
  vi.stubGlobal('fetch', answer);
  return signals;
}

const onAbort = (signal: AbortSignal, act: (reason: unknown) => void) =>
  signal.addEventListener('abort', () => act(signal.reason));

it.each(['no answer', 'no end'] as const)(
  'a request with a signal of its own is sent again after 35 seconds with %s, and its body is whole',
  async (first) => {
    const signals = stallingOnce(first);
    const { signal } = new AbortController();
    const answer = fetchPatiently('/quote', { signal }, { tries: 2, onRefusal: () => {} });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(await (await answer).text()).toBe('paid');
  },
);

it('a request that its caller gives up is not sent again', async () => {
  const signals = stallingOnce('no end');
  const caller = new AbortController();
  const answer = fetchPatiently('/quote', { signal: caller.signal }, { tries: 2, onRefusal: () => {} });
  const refused = expect(answer).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1_000);
  caller.abort();
  await refused;
  expect(signals).toHaveLength(1);
});
