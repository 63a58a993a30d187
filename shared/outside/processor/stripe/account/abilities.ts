import * as z from 'zod';
import { type CheckLine, fulfilled, lacks, remark } from '../../../../domain/check-line.ts';
import { currencies } from '../../../../domain/money/currency.ts';
import { plainAmount } from '../../../../domain/money/plain-amount.ts';
import { limits, settledAmount } from '../amounts.ts';
import { parse } from '../ask.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';
import { StripeBalance } from '../refund.ts';

/** The fields of an account that we read. */
export const StripeAccount = z.object({
  id: z.string(),
  country: z.string().optional(),
  default_currency: z.string().optional(),
  /** The name that buyers see. Without it, Stripe opens no payment page. */
  business_profile: z.object({ name: z.string().nullish() }).nullish(),
  charges_enabled: z.boolean(),
  payouts_enabled: z.boolean(),
});
type StripeAccount = z.infer<typeof StripeAccount>;

/** The fields of a country that we read. */
export const StripeCountry = z.object({ supported_payment_currencies: z.array(z.string()) });

/** The account of a key; undefined if Stripe hides it from the key. */
export const readAccount = (stripe: StripeClient): Promise<StripeAccount | undefined> =>
  askUnlessDenied(async () => parse(StripeAccount, await stripe.get('account')));

/**
 * Checks what the account can do. If Stripe hides the account from the key, the operator must look in Stripe's
 * dashboard.
 */
export async function checkAccount(stripe: StripeClient, account: StripeAccount | undefined): Promise<CheckLine[]> {
  if (!account)
    return [
      remark('the key may not read the account: see in Stripe’s dashboard that payments and payouts are enabled'),
    ];
  return [...enabled(account), ...(await checkCurrencies(stripe, account))];
}

const enabled = ({
  id,
  business_profile: profile,
  charges_enabled: charges,
  payouts_enabled: payouts,
  default_currency: currency,
}: StripeAccount) => [
  charges
    ? fulfilled(`${id} can charge`)
    : lacks(`${id} cannot charge yet: complete its profile in Stripe’s dashboard`),
  profile?.name
    ? fulfilled(`buyers see the name ${profile.name}`)
    : lacks('the account has no business name: set it in Stripe’s dashboard, Settings → Business → Business details'),
  payouts
    ? fulfilled(`${id} is paid out`)
    : lacks(`${id} is not paid out yet: add a bank account in Stripe’s dashboard`),
  remark(`it settles in ${currency?.toUpperCase() ?? 'a currency that Stripe does not name'}`),
];

/** Says what refunds can take, because a refund of more waits. Undefined if the key may not read it. */
export async function sayBalance(stripe: StripeClient): Promise<CheckLine[]> {
  const balance = await askUnlessDenied(async () => parse(StripeBalance, await stripe.get('balance')));
  if (!balance) return [];
  const sums = balance.available.flatMap(({ amount, currency }) => {
    const money = settledAmount(amount, currency);
    return money ? [`${plainAmount(money.amount, money.currency)} ${money.currency}`] : [];
  });
  return [remark(`available for refunds: ${sums.join(', ') || 'nothing'}; a larger refund waits until there is more`)];
}

/** Checks which of our currencies the account can charge, if Stripe's unit for them is certain. */
async function checkCurrencies(stripe: StripeClient, { country }: StripeAccount): Promise<CheckLine[]> {
  if (country === undefined) return [];
  const facts = await askUnlessDenied(async () => parse(StripeCountry, await stripe.get(`country_specs/${country}`)));
  if (!facts) return [];
  const theirs = new Set(facts.supported_payment_currencies.map((currency) => currency.toUpperCase()));
  const cannot = currencies.filter((currency) => !theirs.has(currency) || !limits(currency));
  return [
    remark(
      `it charges ${currencies.length - cannot.length} of ${currencies.length} currencies; not ${cannot.join(', ') || 'one is missing'}`,
    ),
  ];
}

async function askUnlessDenied<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return undefined;
    throw error;
  }
}
