import { payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import type { Api } from './api.ts';

let count = 0;

/** Declares the withdrawal from an order, or from some of its lines, by its link, and returns the declaration's id. */
export async function declareByLink(
  api: Pick<Api, 'call'>,
  paymentId: string,
  fields: [string, string][] = [],
): Promise<string> {
  count += 1;
  const payment = await payments().get(paymentId);
  const secret = new URL(await orderUrlOf(payment)).searchParams.get('secret') ?? '';
  const lines = payment.lines.map((_, line): [string, string] => ['line', String(line)]);
  const chosen = fields.length > 0 ? fields : lines;
  const form = new URLSearchParams([['form_token', `form ${count}`], ['step', 'confirm'], ...chosen]);
  const { status } = await api.call(`POST /orders/${paymentId}/withdraw`, {
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    cookies: [`order=${secret}`],
    source: `198.51.100.${count}`,
    raw: Buffer.from(form.toString()),
  });
  if (status !== 200) throw new Error(`The withdrawal from ${paymentId} answered ${status}.`);
  const latest = (await withdrawals().ofPayment(paymentId)).at(-1);
  if (!latest) throw new Error(`The withdrawal from ${paymentId} is not stored.`);
  return latest.id;
}

/** Declares a withdrawal by the form for everyone, about no order that can be found, and returns its id. */
export async function declareByForm(
  api: Pick<Api, 'call'>,
  typed: { reference?: string; email?: string } = {},
): Promise<string> {
  count += 1;
  const { reference = `the book number ${count}`, email = `stranger${count}@example.com` } = typed;
  const form = { name: 'Ann Buyer', reference, email, form_token: `form ${count}`, step: 'confirm' };
  const { status } = await api.call('POST /withdraw', {
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    source: `198.51.100.${count}`,
    raw: Buffer.from(new URLSearchParams(form).toString()),
  });
  if (status !== 200) throw new Error(`The form for withdrawals answered ${status}.`);
  const { items } = await withdrawals().list({ size: 100, skip: 0, after: undefined });
  const declared = await withdrawals().declarations(items.map(({ id }) => id));
  const mine = [...declared.values()].find((one) => one.reference === reference && one.email === email);
  if (!mine) throw new Error('The declaration is not stored.');
  return mine.id;
}
