import { chargeStatuses } from '../../../../shared/domain/checkout/checkout-session.ts';
import { PaidLines, PaidPayment, type PaymentItem, PaymentPage } from '../answers.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { countOf, itemsOf } from '../listing.ts';
import { momentOf } from '../moment.ts';
import { moneyText } from '../money.ts';
import { factsText, plainText, tableText } from '../table-text.ts';

const filters = {
  status: { value: '<status>', help: 'only with this status', choices: chargeStatuses },
  customer: { value: '<id>', help: 'only of this customer' },
  product: { value: '<id>', help: 'only with this product' },
  brand: { value: '<id>', help: 'only of this brand' },
  currency: { value: '<code>', help: 'only in this currency' },
  since: { value: '<time>', help: 'only from then on: 2h, 7d, or a time' },
  until: { value: '<time>', help: 'only until then' },
  limit: { value: '<number>', help: 'how many at most; default: 20' },
};

const timeOf = (typed: TypedWords, option: 'since' | 'until'): string | undefined => {
  const text = typed.text(option);
  return text === undefined ? undefined : momentOf(`--${option}`, text, new Date());
};

const queryOf = (typed: TypedWords) => ({
  status: typed.text('status'),
  customer_id: typed.text('customer'),
  product_id: typed.text('product'),
  brand_id: typed.text('brand'),
  currency: typed.text('currency'),
  created_at_gte: timeOf(typed, 'since'),
  created_at_lte: timeOf(typed, 'until'),
});

const paymentRow = ({
  created_at,
  payment_id,
  status,
  total_amount,
  currency,
  refund_status,
  customer,
}: PaymentItem) => [
  created_at,
  payment_id,
  status,
  moneyText(total_amount, currency),
  refund_status ?? '',
  plainText(customer.email),
];

const lineRow = (currency: string) => (line: PaidLines['items'][number]) => [
  plainText(line.name ?? line.items_id),
  line.items_id,
  String(line.quantity),
  moneyText(line.net_amount, currency),
  moneyText(line.tax, currency),
  moneyText(line.amount, currency),
  moneyText(line.refundable_amount, currency),
];

function paymentText(payment: PaidPayment, { items }: PaidLines): string {
  const { currency, refunds } = payment;
  const facts: (readonly [string, string])[] = [
    ['payment', payment.payment_id],
    ['status', payment.status],
    ['made', payment.created_at],
    ['buyer', plainText(payment.customer.email)],
    ['net', moneyText(payment.total_amount - payment.tax, currency)],
    ['tax', moneyText(payment.tax, currency)],
    ['total', moneyText(payment.total_amount, currency)],
    ...(payment.error_message ? [['failed', plainText(payment.error_message)] as const] : []),
    ...(payment.invoice_url ? [['invoice', payment.invoice_url] as const] : []),
  ];
  const lines = tableText(
    ['line', 'id', 'quantity', 'net', 'tax', 'total', 'refundable'],
    items.map(lineRow(currency)),
    [2, 3, 4, 5, 6],
  );
  const returned = refunds.map((one) => [one.created_at, one.refund_id, one.status, moneyText(one.amount, currency)]);
  const parts = [factsText(facts), lines];
  if (returned.length > 0) parts.push(tableText(['refunded', 'id', 'status', 'amount'], returned, [3]));
  return parts.join('\n\n');
}

export const paymentCommands: readonly IntegratorCommand[] = [
  {
    name: 'payments list',
    summary: 'Lists payments, the newest first.',
    options: filters,
    examples: ['payments list --status succeeded --since 7d', 'payments list --currency EUR --limit 100 --json'],
    run: async (typed, { connect }) => {
      const api = await connect();
      const items = await itemsOf(api, '/payments', { query: queryOf(typed), page: PaymentPage, most: countOf(typed) });
      const head = ['made', 'payment', 'status', 'total', 'refunded', 'buyer'];
      return {
        text: items.length === 0 ? 'No payment was found.' : tableText(head, items.map(paymentRow), [3]),
        json: items,
      };
    },
  },
  {
    name: 'payments get',
    summary: 'Shows a payment with its lines and refunds.',
    takes: ['<payment>'],
    examples: ['payments get pay_…'],
    run: async (typed, { connect }) => {
      const api = await connect();
      const path = `/payments/${encodeURIComponent(typed.word(0))}`;
      const [payment, lines] = await Promise.all([api.get(path), api.get(`${path}/line-items`)]);
      return { text: paymentText(PaidPayment.parse(payment), PaidLines.parse(lines)), json: payment };
    },
  },
];
