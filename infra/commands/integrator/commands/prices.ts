import { pricingModes } from '../../../../shared/domain/catalogue/localized-price.ts';
import { isCurrency } from '../../../../shared/domain/money/currency.ts';
import { UsageError } from '../../../usage-error.ts';
import { LocalizedPriceAnswer, LocalizedPriceList } from '../answers.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { minorUnitsOf, moneyText } from '../money.ts';
import { tableText } from '../table-text.ts';

const pathOf = (product: string): string => `/products/${encodeURIComponent(product)}/localized-prices`;

const taxText = (isInclusive: boolean | null): string =>
  isInclusive === null ? 'as the product' : isInclusive ? 'included' : 'added';

/** How the tax stands to a price. */
const taxes = ['included', 'added'] as const;

/** The fields of the limits, by their options. */
const limitFields = { suggested: 'suggested_price', maximum: 'maximum_price', 'minimum-net': 'minimum_net' };

function termsOf(typed: TypedWords) {
  const currency = typed.needed('currency').toUpperCase();
  if (!isCurrency(currency))
    throw new UsageError(`--currency must be a code of ISO 4217 such as USD, not ${currency}.`);
  const country_code = typed.text('country')?.toUpperCase();
  const tax = typed.text('tax');
  return {
    amount: minorUnitsOf('--price', typed.needed('price'), currency),
    currency,
    ...(country_code !== undefined && { country_code }),
    ...(tax !== undefined && { tax_inclusive: tax === taxes[0] }),
    ...limitsOf(typed, currency),
  };
}

/** What a price that the buyer chooses has besides its minimum. What is not typed is left to the API. */
function limitsOf(typed: TypedWords, currency: string) {
  const inMinorUnits = (option: string, text: string) => minorUnitsOf(`--${option}`, text, currency);
  const limits = Object.entries(limitFields).flatMap(([option, field]) => {
    const text = typed.text(option);
    return text === undefined ? [] : [[field, inMinorUnits(option, text)]];
  });
  const presets = typed.all('preset').map((text) => inMinorUnits('preset', text));
  if (presets.length > 0 && typed.flag('no-presets'))
    throw new UsageError('--preset and --no-presets exclude each other.');
  const hasPresets = presets.length > 0 || typed.flag('no-presets');
  return { ...Object.fromEntries(limits), ...(hasPresets && { preset_amounts: presets }) };
}

/** Prices of a product by currency and by country. */
export const priceCommands: readonly IntegratorCommand[] = [
  {
    name: 'prices add',
    summary: 'Gives a product a price for a currency or a country. Nothing is converted.',
    takes: ['<product>'],
    options: {
      price: { value: '<amount>', help: 'the price, or the minimum: 19.99' },
      currency: { value: '<code>', help: 'such as USD' },
      country: { value: '<code>', help: 'such as US, where the prices of the product differ by country' },
      tax: { value: '<how>', help: 'how the tax stands to the price; default: as the product', choices: taxes },
      suggested: { value: '<amount>', help: 'what the page suggests, where the buyer chooses' },
      maximum: { value: '<amount>', help: 'the most that a buyer may choose' },
      'minimum-net': {
        value: '<amount>',
        help: 'what you keep at least of one unit after tax, where the buyer chooses',
      },
      preset: { value: '<amount>', help: 'an amount to choose with one click; may be repeated', isMultiple: true },
      'no-presets': { help: 'no amounts to choose with one click' },
    },
    details: `The product says how its prices differ: "products create … --prices-by ${pricingModes.join('|')}".`,
    examples: [
      'prices add pdt_… --price 21.00 --currency USD',
      'prices add pdt_… --price 2400 --currency JPY --country JP',
      'prices add pdt_… --price 5.00 --suggested 15.00 --preset 5.00 --preset 15.00 --tax added --currency USD',
    ],
    run: async (typed, { connect }) => {
      const made = await (await connect()).post(pathOf(typed.word(0)), termsOf(typed));
      const { id, amount, currency, country_code } = LocalizedPriceAnswer.parse(made);
      return { text: `${id}: ${moneyText(amount, currency)}${country_code ? ` in ${country_code}` : ''}.`, json: made };
    },
  },
  {
    name: 'prices list',
    summary: 'Lists the prices of a product by currency or by country.',
    takes: ['<product>'],
    examples: ['prices list pdt_…'],
    run: async (typed, { connect }) => {
      const { items } = LocalizedPriceList.parse(await (await connect()).get(pathOf(typed.word(0))));
      const rows = items.map(({ id, country_code, amount, currency, tax_inclusive }) => [
        ...[id, country_code ?? currency, moneyText(amount, currency), taxText(tax_inclusive)],
      ]);
      const table = tableText(['price', 'for', 'amount', 'tax'], rows, [2]);
      return { text: rows.length === 0 ? 'The product has one price everywhere.' : table, json: items };
    },
  },
  {
    name: 'prices remove',
    summary: 'Removes a price of a product. Open checkouts keep it.',
    takes: ['<product>', '<price>'],
    examples: ['prices remove pdt_… lcp_…'],
    run: async (typed, { connect }) => {
      const path = `${pathOf(typed.word(0))}/${encodeURIComponent(typed.word(1))}`;
      return { text: `${typed.word(1)} is removed.`, json: await (await connect()).delete(path) };
    },
  },
];
