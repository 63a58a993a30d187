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
