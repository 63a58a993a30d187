import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { ratesDownload } from '../../../shared/outside/exchange-rates/download-rates.ts';
import { exchangeRates } from '../../../shared/wiring/books.ts';
import { clock } from '../../support/clock.ts';
import { ratesFile, startFakeEcb } from '../../support/fake-ecb.ts';
import { type Api, startApi } from '../../support/shop/api.ts';

let ecb: Awaited<ReturnType<typeof startFakeEcb>>;
let api: Api;
let year = 2030;

const { perEuro } = exampleRates;
const at = (monthAndDay: string) => `${year}-${monthAndDay}`;
const day = (monthAndDay: string, rates: Readonly<Record<string, string>> = perEuro) => ({
  date: at(monthAndDay),
  perEuro: rates,
});

beforeAll(async () => {
  ecb = await startFakeEcb();
  api = await startApi(undefined, { EXCHANGE_RATES_URL: ecb.url });
});
/** Each test has days of its own, because a day is kept for ever. */
beforeEach(() => {
  year += 1;
  Object.assign(ecb, { daily: '', recent: '', asked: [] });
});
afterAll(async () => {
  clock.run();
  await Promise.all([ecb.stop(), api.stop()]);
});

/** The hour's call at an instant, and what it said. */
async function fetchAt(instant: string) {
  clock.stopAt(instant);
  const before = api.log.length;
  await invokeFunction('accounting/fetch-rates', {});
  const said = api.log.slice(before).map((line) => JSON.parse(line));
  const messages = said.flatMap(({ message }) => message ?? []);
  return { messages, age: said.find((line) => line._aws)?.ExchangeRatesAgeSeconds };
}

const newest = async () => (await exchangeRates().newestBefore(`${year + 1}-01-01`))?.date;

describe('fetching the exchange rates', () => {
  it('stores the rates of a published day, and measures no age of new ones', async () => {
    ecb.daily = ratesFile(day('06-06'));
    ecb.recent = ecb.daily;
    await fetchAt(`${at('06-06')}T20:00:00Z`);
    ecb.daily = ratesFile(day('06-07', { ...perEuro, USD: '1.1000' }));
    const { messages, age } = await fetchAt(`${at('06-07')}T16:00:00Z`);
    expect(messages).toEqual([]);
    expect(age).toBeUndefined();
    const kept = await exchangeRates().newestBefore(at('06-08'));
    expect(kept).toEqual({
      date: at('06-07'),
      source: 'European Central Bank',
      perEuro: { ...perEuro, USD: '1.1000' },
    });
    expect((await exchangeRates().newestBefore(at('06-07')))?.date).toBe(at('06-06'));
    expect((await exchangeRates().firstFrom(at('06-01')))?.date).toBe(at('06-06'));
  });

  it('sends no request on a day whose rates are already stored', async () => {
    ecb.daily = ratesFile(day('06-06'));
    ecb.recent = ratesFile(day('06-06'));
    await fetchAt(`${at('06-06')}T16:00:00Z`);
    ecb.asked = [];
    expect(await fetchAt(`${at('06-06')}T17:00:00Z`)).toEqual({ messages: [] });
    expect(ecb.asked).toEqual([]);
  });

  it('loads the days that it missed, and requests many days only in that case', async () => {
    ecb.daily = ratesFile(day('06-06'));
    ecb.recent = ratesFile(day('06-06'), day('06-05'), day('06-04'));
    await fetchAt(`${at('06-06')}T16:00:00Z`);
    expect(ecb.asked).toEqual(['eurofxref-daily.xml', 'eurofxref-hist-90d.xml']);
    expect((await exchangeRates().firstFrom(at('01-01')))?.date).toBe(at('06-04'));
  });

  it.each([
    {
      how: 'is unavailable',
      answer: (r: { writeHead: (status: number) => { end: () => void } }) => r.writeHead(503).end(),
      says: 'answered 503',
    },
    { how: 'hangs up', answer: (r: { destroy: () => void }) => r.destroy(), says: 'fetch failed' },
    {
      how: 'answers with HTML',
      answer: '<!doctype html><html><body>Maintenance</body></html>',
      says: 'not a file of reference rates',
    },
    { how: 'answers with nothing', answer: '', says: 'not a file of reference rates' },
    { how: 'lists no day', answer: ratesFile(), says: 'It has no day' },
  ])('reports a publisher that $how, and keeps the last rates', async ({ answer, says }) => {
    ecb.recent = ratesFile(day('06-06'));
    ecb.daily = ecb.recent;
    await fetchAt(`${at('06-06')}T16:00:00Z`);
    ecb.daily = answer as typeof ecb.daily;
    const before = api.log.length;
    const { messages, age } = await fetchAt(`${at('06-14')}T00:00:00Z`);
    expect(messages).toEqual(['The exchange rates cannot be fetched.']);
    expect(api.log.slice(before).join()).toContain(says);
    expect(age).toBe(8 * 86_400);
    expect(await newest()).toBe(at('06-06'));
  });

  it('refuses an incomplete file, cut at any position', async () => {
    const whole = ratesFile(day('06-06'));
    ecb.recent = ratesFile(day('06-05'));
    for (let end = 1; end < whole.length - 1; end += 97) {
      ecb.daily = whole.slice(0, end);
      ecb.recent = whole.slice(0, end);
      expect((await fetchAt(`${at('06-06')}T16:00:00Z`)).messages).toEqual(['The exchange rates cannot be fetched.']);
    }
    expect(await exchangeRates().firstFrom(at('01-01'))).toBeUndefined();
  });

  it('refuses a date in the future, and a date that does not exist', async () => {
    ecb.daily = ratesFile(day('06-08'));
    ecb.recent = ecb.daily;
    expect((await fetchAt(`${at('06-07')}T16:00:00Z`)).messages).toEqual([
      'The exchange rates have a date in the future.',
    ]);
    ecb.daily = ratesFile(day('02-30'));
    expect((await fetchAt(`${at('06-07')}T17:00:00Z`)).messages).toEqual(['The exchange rates cannot be fetched.']);
    expect(await exchangeRates().firstFrom(at('01-01'))).toBeUndefined();
  });

  it('refuses a day without a currency that documents need, but accepts a day without any other currency', async () => {
    const { GBP: _, ...withoutPounds } = perEuro;
    ecb.daily = ratesFile(day('06-06', withoutPounds));
    ecb.recent = ecb.daily;
    expect((await fetchAt(`${at('06-06')}T16:00:00Z`)).messages).toEqual([
      'The exchange rates of a day are not complete.',
    ]);
    const { ISK: __, ...withoutKronur } = perEuro;
    ecb.recent = ratesFile(day('06-06', withoutKronur));
    expect((await fetchAt(`${at('06-06')}T17:00:00Z`)).messages).toEqual([]);
    expect(await newest()).toBe(at('06-06'));
  });

  it.each([
    "<Cube currency='USD' rate='1,07'/>",
    "<Cube currency='USD' rate='0.0000'/>",
    "<Cube currency='USD' rate='1.07'/><Cube currency='USD' rate='1.08'/>",
    '<Cube/>',
  ])('refuses %s', async (entry) => {
    ecb.daily = ratesFile(day('06-06')).replace("<Cube currency='USD' rate='1.0705'/>", entry);
    ecb.recent = ecb.daily;
    expect((await fetchAt(`${at('06-06')}T16:00:00Z`)).messages).toEqual(['The exchange rates cannot be fetched.']);
  });

  it('never changes the rates of a stored day', async () => {
    const first = { ...day('06-06'), source: 'European Central Bank' };
    expect(await exchangeRates().keep(first)).toBeUndefined();
    ecb.daily = ratesFile(day('06-06', { ...perEuro, USD: '9.9999' }));
    ecb.recent = ratesFile(day('06-07'), day('06-06', { ...perEuro, USD: '9.9999' }));
    expect(await exchangeRates().keep({ ...first, perEuro: { ...perEuro, USD: '9.9999' } })).toEqual(first);
    const repeated = await fetchAt(`${at('06-07')}T16:00:00Z`);
    expect(repeated.messages).toEqual(['The exchange rates of a day were published again, differently.']);
    expect((await exchangeRates().firstFrom(at('06-06')))?.perEuro['USD']).toBe('1.0705');
  });

  it('stops when the publisher is slow or the file never ends', async () => {
    ecb.daily = () => {};
    await expect(ratesDownload({ url: ecb.url, timeoutSeconds: 0.05 })('daily')).rejects.toThrow(/timeout/);
    ecb.daily = (response) => void response.write('<?xml version="1.0"?>');
    await expect(ratesDownload({ url: ecb.url, timeoutSeconds: 0.05 })('daily')).rejects.toThrow(/timeout/);
    ecb.daily = (response) => void response.end(' '.repeat(2_000_001));
    await expect(ratesDownload({ url: ecb.url, timeoutSeconds: 5 })('daily')).rejects.toThrow(
      'more than 2000000 bytes',
    );
  });
});
