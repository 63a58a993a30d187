import type Stripe from 'stripe';
import * as z from 'zod';
import { type CheckLine, fulfilled, lacks } from '../../../../domain/check-line.ts';
import { currencyFloor, isPaidCurrency } from '../../../../domain/money/currency.ts';
import type { SaleProbe } from '../../processor-description.ts';
import { limits, toStripe } from '../amounts.ts';
import { parse } from '../ask.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';

const ProbedSession = z.object({ id: z.string(), payment_method_types: z.array(z.string()) });

/**
 * How many minutes the test session stays open. Stripe allows no end earlier than half an hour after the creation. A
 * session that could not be expired ends by then.
 */
const openMinutes = 31;

/**
 * The amount of the test session, above every minimum. In a currency whose minimum is unknown, it is far above. Nobody
 * gets the address of the page, so nobody can pay it.
 */
function amountIn(currency: string): number {
  const { minimum = 0, step = 1 } = limits(currency) ?? {};
  return minimum > step ? Math.max(1_000, minimum, currencyFloor(currency)) : 10_000_000;
}

/**
 * Opens a session like a first sale, and expires it. Opening needs an account that is set up. The expiry makes Stripe
 * send a notification to the endpoint.
 */
export async function probeSale(
  stripe: StripeClient,
  probe: SaleProbe,
  settled: string | undefined,
): Promise<{ isSent: boolean; lines: CheckLine[] }> {
  const currency = [settled ?? '', 'EUR'].find((one) => isPaidCurrency(one) && limits(one)) ?? 'EUR';
  try {
    const parameters = parametersOf(probe, currency);
    const { id, payment_method_types: methods } = parse(
      ProbedSession,
      await stripe.post('checkout/sessions', parameters, probe.probeId),
    );
    await stripe.post(`checkout/sessions/${id}/expire`, {}, null);
    return { isSent: true, lines: [fulfilled(`a sale in ${currency} can begin, and offers ${methods.join(', ')}`)] };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { isSent: false, lines: [lacks(`a first sale in ${currency} is refused: ${error.message}`)] };
  }
}

const isRefusal = (error: unknown): error is StripeRefusal =>
  error instanceof StripeRefusal && (error.kind === 'refused' || error.kind === 'unauthorized');

const parametersOf = ({ probeId, merchantId, shopUrl, now }: SaleProbe, currency: string) =>
  ({
    mode: 'payment',
    ui_mode: 'hosted_page',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripe(amountIn(currency), currency),
          product_data: { name: 'Tillstack tries whether a sale can begin' },
        },
      },
    ],
    metadata: { probe_id: probeId, merchant_id: merchantId },
    success_url: shopUrl,
    expires_at: Math.floor(now.getTime() / 1_000) + openMinutes * 60,
  }) satisfies Stripe.Checkout.SessionCreateParams;
