import { expect } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { startBucket } from '../../../infra/local-aws/bucket.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import type { ReturnKind } from '../../../shared/domain/reports/export-job.ts';
import { dashboardTexts } from '../../../shared/texts/texts.ts';
import { exchangeRates, filedReturns } from '../../../shared/wiring/books.ts';
import { now, payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../clock.ts';
import { startApi, testMerchant } from '../shop/api.ts';
import { sweep } from '../shop/settle.ts';
import { createSession } from '../shop/shop.ts';
import { type Filing, filingWith, rowsIn } from './filing.ts';

export const quarters = {
  Q1: { from: '2031-01-01', to: '2031-03-31' },
  Q2: { from: '2031-04-01', to: '2031-06-30' },
};

interface BookBuyer {
  country: string;
  state?: string;
  taxId?: string;
  card?: string;
}

/** A merchant of a country who sells e-books, files returns, and looks where each box comes from. */
export interface BookSeller extends Filing {
  /** Adds a place under Tax. */
  register(country: string, scheme: 'standard' | 'oss', region?: string): Promise<void>;
  /** Makes an e-book under Products, at 10.70 with the tax, or another product by its fields. */
  addBook(currency: string, fields?: Record<string, string>): Promise<string>;
  sell(product: string, buyer: BookBuyer): Promise<string>;
  refund(paymentId: string | undefined, amount?: number): Promise<void>;
  /** Lets the bank decide a dispute against the merchant, who then chooses why the tax falls away. */
  loseDispute(paymentId: string | undefined, ground: 'uncollectible' | 'rescinded'): Promise<void>;
  /** The boxes that the pages of sales name, for the movements of a filed return. */
  namedBoxes(kind: ReturnKind, from: string, sales: readonly string[]): Promise<Set<string>>;
  close(): Promise<void>;
}

/** Opens a shop in a country, with exchange rates, whose merchant is at the dashboard in February 2031. */
export async function openBookShop(country: string): Promise<BookSeller> {
  const [bucket, registers] = await Promise.all([
    startBucket({ bucketNames: [localNames.bucket] }),
    startFakeRegisters(),
  ]);
  registers.behave = () => 'valid';
  const merchant = Merchant.parse({ ...testMerchant, country, collectPolicy: 'registered_only' });
  const api = await startApi(merchant, { AWS_ENDPOINT_URL_S3: bucket.url, REGISTER_URL: registers.url });
  const filing = filingWith(api);
  await filing.at('2031-02-10T12:00:00Z');
  for (const date of ['2031-02-07', '2031-03-31', '2031-06-30']) await exchangeRates().keep({ ...exampleRates, date });
  return {
    ...filing,
    register: async (place, scheme, region = '') => {
      const fields = { action: 'add_registration', country: place, region, scheme, active_from: '2030-01-01' };
      const { status, text } = await filing.post('/dashboard/tax', fields);
      expect([status, text]).toEqual([303, '']);
    },
    addBook: async (currency, more = {}) => {
      const book = { name: 'Field Guide', description: 'An e-book.', tax_category: 'e_book', currency, price: '10.70' };
      const fields = { action: 'save', ...book, tax_inclusive: 'true', ...more };
      expect((await filing.post('/dashboard/products', fields)).status).toBe(303);
      const { body } = await api.call('GET /products');
      return body.items[0].product_id;
    },
    sell: async (product, { country: place, state, taxId, card = '4242' }) => {
      const id = await createSession(api, [{ product_id: product, quantity: 1 }]);
      const business = taxId && { tax_id: taxId, customer_business_name: 'Exemple' };
      const address = {
        country: place,
        ...(state && { state }),
        street: '1 Main Street',
        city: 'Newtown',
        zipcode: '75001',
      };
      const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: card.slice(-4) };
      const { body } = await api.call(`POST /checkout/${id}/pay`, {
        body: { ...buyer, billing_address: address, ...business },
        key: null,
      });
      expect([body.status, body.message]).toEqual(['succeeded', undefined]);
      return body.payment_id;
    },
    refund: async (paymentId = '', amount = 107) => {
      clock.forward({ milliseconds: 1_000 });
      expect((await api.call('POST /refunds', { body: { payment_id: paymentId, amount } })).status).toBe(200);
    },
    loseDispute: async (paymentId = '', ground) => {
      for (let day = 0; day < 4; day += 1) {
        clock.forward({ hours: 24 });
        await sweep();
      }
      const [dispute] = (await payments().get(paymentId)).disputes;
      expect(dispute?.status).toBe('lost');
      await filing.at(now().toISOString());
      const fields = { action: 'choose_ground', ground };
      expect((await filing.post(`/dashboard/disputes/${dispute?.id}`, fields)).status).toBe(303);
    },
    namedBoxes: (kind, from, sales) => namedBoxes(filing, { kind, from }, sales),
    close: async () => {
      clock.run();
      await Promise.all([bucket.stop(), registers.stop(), api.stop()]);
    },
  };
}

async function namedBoxes(
  filing: Filing,
  { kind, from }: { kind: ReturnKind; from: string },
  sales: readonly string[],
): Promise<Set<string>> {
  const filed = (await filedReturns().list()).find((one) => one.kind === kind && one.from === from);
  if (!filed) throw new Error(`${kind} of ${from} is not filed.`);
  const label = dashboardTexts('returns')['en'][`kind.${kind}`];
  const pages: string[] = [];
  for (const sale of sales) pages.push(await filing.why(sale));
  const rows = pages.flatMap((page) => page.split('<tr>')).filter((row) => row.includes(label));
  const named = new Set<string>();
  for await (const { counted } of filedReturns().movementsOf(filed))
    for (const key of counted) {
      const row = rows.find((one) => one.includes(`<code>${key}</code>`)) ?? '';
      const boxes = /<div><code>([^<]+)<\/code><\/div><\/td><\/tr>/.exec(row)?.[1];
      expect([kind, key, boxes !== undefined]).toEqual([kind, key, true]);
      for (const box of (boxes ?? '').split(', ')) named.add(box);
    }
  return named;
}

/** The boxes of a return's file: the cells of a column, in the rows of a section. */
export const boxesIn = (rows: readonly string[], section: string, column: number): string[] =>
  rowsIn(rows, section).map((row) => row.split(',')[column] ?? '');
