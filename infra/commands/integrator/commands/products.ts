import { pricingModes } from '../../../../shared/domain/catalogue/localized-price.ts';
import { taxCategories } from '../../../../shared/domain/checkout/tax.ts';
import { isCurrency } from '../../../../shared/domain/money/currency.ts';
import { UsageError } from '../../../usage-error.ts';
import { type PriceAnswer, ProductAnswer, ProductPage } from '../answers.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { countOf, itemsOf } from '../listing.ts';
import { minorUnitsOf, moneyText } from '../money.ts';
import { plainText, tableText } from '../table-text.ts';

/** The price in words: `from 5.00 EUR, suggested 15.00 EUR, tax included`. */
export function priceText({ currency, price, tax_inclusive, ...chosen }: PriceAnswer): string {
  const { pay_what_you_want: isChosen, suggested_price: suggested, maximum_price: maximum } = chosen;
  const parts = [`${isChosen ? 'from ' : ''}${moneyText(price, currency)}`];
  if (typeof suggested === 'number') parts.push(`suggested ${moneyText(suggested, currency)}`);
  if (typeof maximum === 'number') parts.push(`at most ${moneyText(maximum, currency)}`);
  return [...parts, tax_inclusive ? 'tax included' : 'plus tax'].join(', ');
}

function priceOf(typed: TypedWords) {
  const currency = typed.needed('currency').toUpperCase();
  if (!isCurrency(currency))
    throw new UsageError(`--currency must be a code of ISO 4217 such as EUR, not ${currency}.`);
  const isChosen = typed.flag('pay-what-you-want');
  const optional = (option: 'suggested' | 'maximum') => {
    const text = typed.text(option);
    if (text !== undefined && !isChosen) throw new UsageError(`--${option} needs --pay-what-you-want.`);
    return text === undefined ? {} : { [`${option}_price`]: minorUnitsOf(`--${option}`, text, currency) };
  };
  return {
    type: 'one_time_price',
    currency,
    price: minorUnitsOf('--price', typed.needed('price'), currency),
    pay_what_you_want: isChosen,
    tax_inclusive: !typed.flag('tax-exclusive'),
    ...optional('suggested'),
    ...optional('maximum'),
  };
}

export const productCommands: readonly IntegratorCommand[] = [
  {
    name: 'products create',
    summary: 'Creates a product with a fixed price, or with one that the buyer chooses.',
    takes: ['<name>'],
    options: {
      price: { value: '<amount>', help: 'the price, or the minimum: 19.99' },
      currency: { value: '<code>', help: 'such as EUR' },
      category: { value: '<category>', help: 'the tax category', choices: taxCategories },
      'pay-what-you-want': { help: 'the buyer chooses the amount, at least the price' },
      suggested: { value: '<amount>', help: 'what the page suggests' },
      maximum: { value: '<amount>', help: 'the most that a buyer may choose' },
      'tax-exclusive': { help: 'tax is added to the price; by default, the price contains it' },
      'prices-by': { value: '<place>', help: 'how prices may differ: see "prices add"', choices: pricingModes },
      description: { value: '<text>', help: 'what the buyer reads; default: the name' },
    },
    examples: [
      'products create "Field Guide" --price 19.99 --currency EUR --category e_book',
      'products create "Support us" --price 5.00 --suggested 15.00 --currency EUR --category digital_products --pay-what-you-want',
    ],
    run: async (typed, { connect }) => {
      const name = typed.word(0);
      const body = {
        name,
        description: typed.text('description') ?? name,
        tax_category: typed.needed('category'),
        price: priceOf(typed),
        pricing_mode: typed.text('prices-by') ?? null,
      };
      const made = await (await connect()).post('/products', body);
      const { product_id: id, price } = ProductAnswer.parse(made);
      return { text: `${id}: ${plainText(name)}, ${priceText(price)}.`, json: made };
    },
  },
  {
    name: 'products list',
    summary: 'Lists products, the newest first.',
    options: {
      archived: { help: 'lists the archived ones instead' },
      limit: { value: '<number>', help: 'how many at most; default: 20' },
    },
    examples: ['products list', 'products list --archived --json'],
    run: async (typed, { connect }) => {
      const query = { archived: String(typed.flag('archived')) };
      const items = await itemsOf(await connect(), '/products', { query, page: ProductPage, most: countOf(typed) });
      const rows = items.map(({ product_id, name, tax_category, price_detail }) => [
        product_id,
        plainText(name ?? ''),
        tax_category,
        priceText(price_detail),
      ]);
      const table = tableText(['product', 'name', 'category', 'price'], rows);
      return { text: rows.length === 0 ? 'No product was found.' : table, json: items };
    },
  },
];
