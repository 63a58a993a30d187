import { UsageError } from '../../../usage-error.ts';
import { PricePreview, ProductAnswer } from '../answers.ts';
import type { ApiCaller } from '../api.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { ApiRefusal, NotHappened } from '../failures.ts';
import { minorUnitsOf, moneyText } from '../money.ts';
import { plainText, tableText } from '../table-text.ts';

/** `US-NY` → country and state. */
function addressOf(text: string, zipcode: string | undefined) {
  const [, country, state] = /^([A-Z]{2})(?:-(\w{1,3}))?$/i.exec(text) ?? [];
  if (!country) throw new UsageError(`"${text}" is not a country such as DE, or a state such as US-NY.`);
  return { country: country.toUpperCase(), ...(state && { state: state.toUpperCase() }), ...(zipcode && { zipcode }) };
}

function quantityOf(typed: TypedWords): number {
  const text = typed.text('quantity') ?? '1';
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError('--quantity must be a whole number.');
}

function cartOf(typed: TypedWords, currency: string) {
  const amount = typed.text('amount');
  const chosen = amount === undefined ? {} : { amount: minorUnitsOf('--amount', amount, currency) };
  return [{ product_id: typed.word(0), quantity: quantityOf(typed), ...chosen }];
}

interface Priced {
  row: string[];
  json: unknown;
  isSold: boolean;
}

const rowOf = (
  place: string,
  { currency, current_breakup: { subtotal, tax, total_amount }, product_cart }: PricePreview,
) => [
  place,
  moneyText(subtotal, currency),
  moneyText(tax, currency),
  moneyText(total_amount, currency),
  `${product_cart[0]?.tax_rate ?? 0} %`,
];

/** What it would cost there. A country that is not sold to is an answer as well. */
async function priceIn(api: ApiCaller, place: string, body: object): Promise<Priced> {
  try {
    const json = await api.post('/checkouts/preview', body);
    const preview = PricePreview.parse(json);
    const note = preview.tax_id_err_msg ? [plainText(preview.tax_id_err_msg)] : [];
    return { row: [...rowOf(place, preview), ...note], json: { place, ...preview }, isSold: true };
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code !== 'UNSUPPORTED_COUNTRY') throw error;
    const reason = plainText(error.answer.problem?.message ?? '');
    return { row: [place, '', '', '', '', reason], json: { place, error: error.answer.problem }, isSold: false };
  }
}

export const taxCommands: readonly IntegratorCommand[] = [
  {
    name: 'tax',
    summary: 'Shows what a product would cost in countries, with its tax. Nothing is stored.',
    takes: ['<product>', '<country>…'],
    options: {
      amount: { value: '<amount>', help: 'what the buyer chooses to pay: 20.00' },
      quantity: { value: '<number>', help: 'how many; default: 1' },
      'postal-code': { value: '<code>', help: 'the postal code, where it decides' },
      'tax-id': { value: '<id>', help: 'the tax id of a business' },
      date: { value: '<day>', help: 'the rates of that day: 2026-03-01' },
    },
    examples: ['tax pdt_… DE FR GB US-NY', 'tax pdt_… AT --tax-id ATU12345675', 'tax pdt_… DE --amount 20.00'],
    run: async (typed, { connect }) => {
      const api = await connect();
      const product = ProductAnswer.parse(await api.get(`/products/${encodeURIComponent(typed.word(0))}`));
      const base = {
        product_cart: cartOf(typed, product.price.currency),
        tax_id: typed.text('tax-id'),
        tax_date: typed.text('date'),
      };
      const found: Priced[] = [];
      for (const place of typed.words.slice(1)) {
        const billing_address = addressOf(place, typed.text('postal-code'));
        found.push(await priceIn(api, place.toUpperCase(), { ...base, billing_address }));
      }
      const head = ['place', 'net', 'tax', 'total', 'rate', ''];
      const text = tableText(
        head,
        found.map(({ row }) => row),
        [1, 2, 3, 4],
      );
      if (found.every(({ isSold }) => !isSold)) throw new NotHappened(text);
      return { text, json: found.map(({ json }) => json) };
    },
  },
];
