import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { paymentAnswers } from '../../../shared/wire/payments/payment-answer.ts';
import { UsageError } from '../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../kit/command.ts';
import { plainText, tableText } from '../kit/table-text.ts';
import type { ApiCaller } from './api.ts';
import type { Context } from './context.ts';
import { NotHappened, UnreachableError } from './failures.ts';
import { minorUnitsOf, moneyText } from './money.ts';

type PaidPayment = z.infer<typeof paymentAnswers.Payment>;
type PaidLines = z.infer<typeof paymentAnswers.LineItems>;
type RefundPlan = z.infer<typeof paymentAnswers.RefundPreview>;
type MadeRefund = z.infer<typeof paymentAnswers.Refund>;

/** The refund that the user wants, before the preview. */
interface Wish {
  payment_id: string;
  currency: string;
  amount?: number;
  items?: { item_id: string; amount?: number }[];
  type?: 'tax';
  tax_reason?: string;
  tax_inclusive: boolean;
}

/** Parses `pdt_…=5.00`, or a product id alone for the whole line. */
function itemOf(text: string, currency: string) {
  const [itemId = '', amount] = text.split('=', 2);
  return { item_id: itemId, ...(amount !== undefined && { amount: minorUnitsOf('--item', amount, currency) }) };
}

function wishOf(typed: TypedWords, { payment_id, currency }: PaidPayment): Wish {
  const [amount, items, reason] = [typed.text('amount'), typed.all('item'), typed.text('tax')];
  if ([amount !== undefined, items.length > 0, reason !== undefined].filter(Boolean).length > 1)
    throw new UsageError('--amount, --item and --tax exclude each other.');
  return {
    payment_id,
    currency,
    tax_inclusive: !typed.flag('net'),
    ...(amount !== undefined && { amount: minorUnitsOf('--amount', amount, currency) }),
    ...(items.length > 0 && { items: items.map((item) => itemOf(item, currency)) }),
    ...(reason !== undefined && { type: 'tax', tax_reason: reason }),
  };
}

/** Prints the preview line by line, with its sum. Lines without a refund are left out. */
function planText(plan: RefundPlan, payment: PaidPayment, lines: PaidLines): string {
  const { currency, refundable } = plan;
  const nameOf = (id: string) => plainText(lines.items.find(({ items_id }) => items_id === id)?.name ?? id);
  const row = (name: string, part: { net: number; tax: number; gross: number }) => [
    name,
    ...[part.net, part.tax, part.gross].map((amount) => moneyText(amount, currency)),
  ];
  const rows = [...plan.items.map((item) => row(nameOf(item.item_id), item)), row('together', plan)];
  return `${payment.payment_id}, paid ${moneyText(payment.total_amount, currency)} by ${plainText(payment.customer.email)}

${tableText(['line', 'net', 'tax', 'refund'], rows, [1, 2, 3])}

Refundable now ${moneyText(refundable, currency)}, afterwards ${moneyText(refundable - plan.gross, currency)}.`;
}

/** Asks the user to confirm, unless `--yes` was typed. A script must use `--yes`. */
async function assertWanted(typed: TypedWords, { terminal, isJson }: Context, question: string): Promise<void> {
  if (typed.flag('yes')) return;
  const answer = isJson ? undefined : await terminal.confirm(question);
  if (answer === undefined)
    throw new UsageError('Nothing was refunded. Add --yes to refund, or --preview to look only.');
  if (!answer) throw new NotHappened('Nothing was refunded.');
}

/**
 * A token with the refundable amount. The idempotency key is made from it, so that a repeated command sends the same
 * request.
 */
const tokenOf = (refundable: number): string => `${randomUUID()}.${refundable}`;

function refundableIn(token: string): number {
  const [, refundable] = /^[0-9a-f-]{36}\.(\d{1,13})$/.exec(token) ?? [];
  if (refundable !== undefined) return Number(refundable);
  throw new UsageError('--continue takes what an earlier "refund" printed when the API did not answer.');
}

/** Refunds exactly the previewed amounts. If another refund was made in between, the API refuses. */
async function refundOnce(api: ApiCaller, typed: TypedWords, wish: Wish, token: string): Promise<CommandOutcome> {
  const notes = { reason: typed.text('reason'), public_reason: typed.text('public-reason') };
  const body = { ...wish, ...notes, expected_refundable: refundableIn(token) };
  const made = await api.post<MadeRefund>('/refunds', body, token).catch((error: unknown) => {
    if (!(error instanceof UnreachableError)) throw error;
    const advice = `It is not known whether the refund was made. Repeat the command with --continue ${token}: it is made once.`;
    throw Object.assign(error, { message: `${error.message}\n${advice}` });
  });
  const { refund_id: id, status, amount, tax, currency } = made;
  const text = `${id} ${status}: ${moneyText(amount, currency)}, with ${moneyText(tax, currency)} of tax.`;
  if (status === 'failed') throw new NotHappened(`${text} The amount is refundable again.`);
  return { text, json: made };
}

async function refund(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const api = await context.connect();
  const path = `/payments/${encodeURIComponent(typed.word(0))}`;
  const payment = await api.get<PaidPayment>(path);
  const wish = wishOf(typed, payment);
  const earlier = typed.text('continue');
  if (earlier !== undefined) return refundOnce(api, typed, wish, earlier);
  const plan = await api.post<RefundPlan>('/refunds/preview', wish);
  const text = planText(plan, payment, await api.get<PaidLines>(`${path}/line-items`));
  if (typed.flag('preview')) return { text, json: plan };
  if (!context.isJson) context.terminal.out(`${text}\n\n`);
  await assertWanted(typed, context, `Refund ${moneyText(plan.gross, plan.currency)}?`);
  return refundOnce(api, typed, wish, tokenOf(plan.refundable));
}

export const refundCommand: ProgramCommand<Context> = {
  name: 'refund',
  summary: 'Refunds a payment or a part of it, after showing what will be returned.',
  takes: ['<payment>'],
  options: {
    amount: { value: '<amount>', help: 'so much of it, with all decimals: 5.00' },
    item: { value: '<line[=amount]>', help: 'this line, or so much of it; may be repeated', isMultiple: true },
    net: { help: 'the amounts are net: their tax is added' },
    tax: {
      value: '<reason>',
      help: 'only the tax, all that is left of it, because of: reverse_charge, exempt, place_corrected',
    },
    reason: { value: '<text>', help: 'a note that the buyer does not see' },
    'public-reason': { value: '<text>', help: 'a reason that is printed on the credit note' },
    preview: { help: 'shows what would be returned, and refunds nothing' },
    yes: { help: 'refunds without asking' },
    continue: { value: '<token>', help: 'finds out what became of an earlier try, and refunds once' },
  },
  details: `Without --amount, --item and --tax, all that is left is refunded. The refund is made only if the refundable amount is still the
one that was shown.`,
  examples: ['refund pay_…', 'refund pay_… --amount 5.00 --preview', 'refund pay_… --item pdt_…=2.50 --yes --json'],
  run: refund,
};
