import { eligibilities } from '../../../../shared/domain/discounts/discount.ts';
import { isCurrency } from '../../../../shared/domain/money/currency.ts';
import { UsageError } from '../../../usage-error.ts';
import { DiscountAnswer, DiscountPage } from '../answers.ts';
import type { ApiCaller } from '../api.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { confirmOr } from '../confirm.ts';
import { countOf, itemsOf } from '../listing.ts';
import { momentOf } from '../moment.ts';
import { minorUnitsOf, moneyText } from '../money.ts';
import { plainText, tableText } from '../table-text.ts';

/** What a code takes off: `15 %`, `5.00 EUR, 6.00 USD`. */
function takesText({ type, amount, currency_options: rows }: DiscountAnswer): string {
  if (type === 'percentage') return `${amount / 100} %`;
  return rows.map((row) => moneyText(row.max_amount_possible ?? 0, row.currency)).join(', ');
}

const usesText = ({ times_used: used, usage_limit: limit }: DiscountAnswer): string =>
  limit === null ? String(used) : `${used} of ${limit}`;

/** `12.5` → 1250 basis points, from its digits. */
function basisPointsOf(text: string): number {
  const [, whole = '', places = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const basisPoints = Number(whole + places.padEnd(2, '0'));
  if (basisPoints > 0 && basisPoints <= 10_000) return basisPoints;
  throw new UsageError('--percent must be above 0 and at most 100, such as 15 or 12.5.');
}

/** What it takes off, and from which price. */
function takenOff(typed: TypedWords) {
  const [percent, amount] = [typed.text('percent'), typed.text('amount')];
  if ((percent === undefined) === (amount === undefined))
    throw new UsageError('Say what the code takes off: --percent, or --amount with --currency.');
  if (percent !== undefined) return { type: 'percentage', amount: basisPointsOf(percent) };
  const currency = typed.needed('currency').toUpperCase();
  if (!isCurrency(currency))
    throw new UsageError(`--currency must be a code of ISO 4217 such as EUR, not ${currency}.`);
  const taken = minorUnitsOf('--amount', amount ?? '', currency);
  const from = typed.text('from');
  const minimum_subtotal = from === undefined ? 0 : minorUnitsOf('--from', from, currency);
  return {
    type: 'flat',
    amount: taken,
    currency_options: [{ currency, max_amount_possible: taken, minimum_subtotal }],
  };
}

function countIn(typed: TypedWords, option: 'limit' | 'per-customer'): number | null {
  const text = typed.text(option);
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number above 0.`);
}

const expiryOf = (typed: TypedWords): string | null => {
  const text = typed.text('until');
  if (text === undefined) return null;
  if (/^\d+[smhd]$/.test(text)) throw new UsageError('--until must be a time such as 2026-12-31T23:00:00Z, or a day.');
  return momentOf('--until', text, new Date());
};

/** A code by its id, or by its name in any case. */
async function findCode(api: Pick<ApiCaller, 'get'>, word: string): Promise<DiscountAnswer> {
  if (word.startsWith('dsc_')) return DiscountAnswer.parse(await api.get(`/discounts/${encodeURIComponent(word)}`));
  const code = word.toUpperCase();
  const found = await itemsOf(api, '/discounts', { query: { code }, page: DiscountPage, most: 1_000 });
  const named = found.find((discount) => discount.code === code);
  if (named) return named;
  throw new UsageError(`There is no code ${plainText(word)}. "discounts list" shows them.`);
}

export const discountCommands: readonly IntegratorCommand[] = [
  {
    name: 'discounts create',
    summary: 'Creates a discount code: a percentage, or an amount in a currency.',
    takes: ['[code]'],
    options: {
      percent: { value: '<number>', help: 'what it takes off: 15 or 12.5' },
      amount: { value: '<amount>', help: 'what it takes off: 5.00' },
      currency: { value: '<code>', help: 'of the amount, such as EUR' },
      from: { value: '<amount>', help: 'only where its products cost as much' },
      product: { value: '<product>', help: 'only for this product; may be repeated', isMultiple: true },
      limit: { value: '<number>', help: 'how often it may be used' },
      'per-customer': { value: '<number>', help: 'how often one customer may use it' },
      until: { value: '<time>', help: 'when it expires: 2026-12-31T23:00:00Z' },
      for: { value: '<customers>', help: 'who may use it; default: any', choices: eligibilities },
      'below-minimum': { help: 'may take a price that the buyer chooses below its minimum' },
      name: { value: '<text>', help: 'a note for yourself' },
    },
    details: 'Without a code, sixteen random letters and digits are used.',
    examples: ['discounts create SPRING --percent 15', 'discounts create --amount 5.00 --currency EUR --limit 100'],
    run: async (typed, { connect }) => {
      const body = {
        ...{ ...takenOff(typed), code: typed.words[0] ?? null, name: typed.text('name') ?? null },
        ...{ restricted_to: typed.all('product'), usage_limit: countIn(typed, 'limit') },
        ...{ per_customer_usage_limit: countIn(typed, 'per-customer'), expires_at: expiryOf(typed) },
        ...{ customer_eligibility: typed.text('for') ?? 'any', below_minimum: typed.flag('below-minimum') },
      };
      const made = await (await connect()).post('/discounts', body);
      const discount = DiscountAnswer.parse(made);
      return { text: `${discount.discount_id}: ${discount.code} takes off ${takesText(discount)}.`, json: made };
    },
  },
  {
    name: 'discounts list',
    summary: 'Lists discount codes with their uses, the newest first.',
    options: {
      active: { help: 'only those that can be used now' },
      limit: { value: '<number>', help: 'how many at most; default: 20' },
    },
    examples: ['discounts list', 'discounts list --active --json'],
    run: async (typed, { connect }) => {
      const query = { active: typed.flag('active') ? 'true' : undefined };
      const items = await itemsOf(await connect(), '/discounts', { query, page: DiscountPage, most: countOf(typed) });
      const rows = items.map((discount) => [
        ...[discount.discount_id, discount.code, takesText(discount), usesText(discount)],
        discount.expires_at ?? 'no end',
      ]);
      const table = tableText(['discount', 'code', 'takes off', 'uses', 'until'], rows);
      return { text: rows.length === 0 ? 'No code was found.' : table, json: items };
    },
  },
  {
    name: 'discounts stop',
    summary: 'Stops a discount code at once, also where it is on an open checkout.',
    takes: ['<code>'],
    options: { yes: { help: 'stops it without asking' } },
    details: 'Payments that have begun keep their discount. A code can be named by its id as well.',
    examples: ['discounts stop SPRING', 'discounts stop dsc_… --yes --json'],
    run: async (typed, desk) => {
      const api = await desk.connect();
      const { discount_id: id, code } = await findCode(api, typed.word(0));
      const question = `Stop the code ${code}? It cannot be started again.`;
      await confirmOr(typed, desk, { question, refusal: 'The code was not stopped.' });
      return { text: `${code} is stopped.`, json: await api.delete(`/discounts/${id}`) };
    },
  },
];
