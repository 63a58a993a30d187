import { type Account, ApiFault, type StripeSessionRequest } from './account.ts';
import { type FormBody, textAt, textsAt } from './form-body.ts';
import { requiredText, wholeNumberAt } from './parameters.ts';

/** The checked parameters of a new session. */
export function sessionRequest(account: Account, parameters: FormBody): StripeSessionRequest {
  const currency = requiredText(parameters, 'line_items.0.price_data.currency');
  const methods = Object.values(textsAt(parameters, 'payment_method_types'));
  const lines = linesOf(parameters, currency);
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  for (const [name, value] of Object.entries({ mode: 'payment', ui_mode: 'hosted_page' }))
    if (requiredText(parameters, name) !== value)
      throw new ApiFault(400, `The fake knows ${name} ${value} only.`, { param: name });
  const addresses = addressesOf(account, parameters);
  assertTexts(parameters);
  assertSuffix(account, parameters);
  assertChargeable(amount, currency);
  assertSetUp(account, { currency, methods });
  return {
    amount,
    currency,
    lines,
    description: textAt(parameters, 'payment_intent_data.description') ?? null,
    clientReferenceId: textAt(parameters, 'client_reference_id') ?? null,
    metadata: textsAt(parameters, 'metadata'),
    intentMetadata: textsAt(parameters, 'payment_intent_data.metadata'),
    statementSuffix: textAt(parameters, 'payment_intent_data.statement_descriptor_suffix') ?? null,
    methods: methods.length > 0 ? methods : null,
    email: textAt(parameters, 'customer_email') ?? null,
    locale: textAt(parameters, 'locale') ?? null,
    ...addresses,
    expiresAt: expiry(account, parameters),
  };
}

const mostLines = 100;

/** The lines of the page, all in one currency. */
function linesOf(parameters: FormBody, currency: string): StripeSessionRequest['lines'] {
  const items = parameters['line_items'];
  const positions = typeof items === 'object' ? Object.keys(items) : [];
  if (positions.length > mostLines)
    throw new ApiFault(400, `You may have at most ${mostLines} line items.`, { param: 'line_items' });
  return positions.map((position) => {
    const path = `line_items.${position}`;
    if (requiredText(parameters, `${path}.price_data.currency`) !== currency)
      throw new ApiFault(400, 'All prices must have the same currency.', { param: paramOf(path) });
    assertShort(parameters, `${path}.price_data.product_data.name`, 5_000);
    return {
      name: requiredText(parameters, `${path}.price_data.product_data.name`),
      amount: lineAmountOf(parameters, path),
      image: imageOf(parameters, path),
    };
  });
}

function lineAmountOf(parameters: FormBody, path: string): number {
  const unit = wholeNumberAt(parameters, `${path}.price_data.unit_amount`);
  const param = paramOf(`${path}.price_data.unit_amount`);
  if (unit < 0) throw new ApiFault(400, 'This value must be greater than or equal to 0.', { param });
  return unit * wholeNumberAt(parameters, `${path}.quantity`);
}

function imageOf(parameters: FormBody, path: string): string | null {
  const image = textAt(parameters, `${path}.price_data.product_data.images.0`) ?? null;
  if (image !== null && (!URL.canParse(image) || image.length > 2_048))
    throw new ApiFault(400, 'Not a valid URL', {
      code: 'url_invalid',
      param: paramOf(`${path}.price_data.product_data.images.0`),
    });
  return image;
}

const minuteInSeconds = 60;

function expiry(account: Account, parameters: FormBody): number {
  const now = account.seconds();
  const at = wholeNumberAt(parameters, 'expires_at', now + 24 * 60 * minuteInSeconds);
  if (at < now + 30 * minuteInSeconds)
    throw new ApiFault(400, 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  if (at > now + 24 * 60 * minuteInSeconds)
    throw new ApiFault(400, 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  return at;
}

/** The minimum amounts of an account that settles in euro, in Stripe's unit of each currency. */
const least: Readonly<Record<string, number>> = {
  gbp: 30,
  dkk: 250,
  sek: 300,
  nok: 300,
  czk: 1_500,
  huf: 17_500,
  pln: 200,
  jpy: 50,
};
/** The largest amount: eight digits, and twelve in Indonesian rupiahs. */
const mostOf = (currency: string): number => (currency === 'idr' ? 999_999_999_999 : 99_999_999);
const thirdDigitMustBeZero = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

function assertChargeable(amount: number, currency: string): void {
  const param = 'line_items[0][price_data][unit_amount]';
  if (!/^[a-z]{3}$/.test(currency))
    throw new ApiFault(400, `Invalid currency: ${currency}.`, { param: 'line_items[0][price_data][currency]' });
  if (amount < (least[currency] ?? 50))
    throw new ApiFault(400, "The Checkout Session's total amount due is too small.", { code: 'amount_too_small' });
  if (amount > mostOf(currency))
    throw new ApiFault(400, `Amount must be no more than ${mostOf(currency).toLocaleString('en')}.`, {
      code: 'amount_too_large',
      param,
    });
  if (thirdDigitMustBeZero.has(currency) && amount % 10 !== 0)
    throw new ApiFault(400, 'Amounts of this currency must end in 0.', { code: 'parameter_invalid_integer', param });
}

/** The maximum lengths of texts in a session, by path. */
const longest: Readonly<Record<string, number>> = {
  cancel_url: 5_000,
  client_reference_id: 200,
  customer_email: 800,
  'line_items.0.price_data.product_data.description': 40_000,
  'payment_intent_data.description': 1_000,
  'payment_intent_data.statement_descriptor_suffix': 22,
  success_url: 5_000,
};

const suffixPath = 'payment_intent_data.statement_descriptor_suffix';

/** Refuses a suffix that bank statements cannot print. Refuses any suffix if the account may not have one. */
function assertSuffix({ profile }: Account, parameters: FormBody): void {
  const suffix = textAt(parameters, suffixPath);
  const isFine =
    suffix === undefined ||
    (profile.takesSuffixes && /[A-Za-z]/.test(suffix) && /^[ -~]*$/.test(suffix) && !/[<>\\'"*]/.test(suffix));
  if (isFine) return;
  throw new ApiFault(400, 'The statement descriptor suffix is not valid for this account.', {
    param: paramOf(suffixPath),
  });
}

/** A path as Stripe writes it: `a.0.b` becomes `a[0][b]`. */
const paramOf = (path: string): string => path.replace(/\.(\w+)/g, '[$1]');

function assertTexts(parameters: FormBody): void {
  for (const [name, limit] of Object.entries(longest)) assertShort(parameters, name, limit);
  for (const name of ['metadata', 'payment_intent_data.metadata']) assertMetadata(name, textsAt(parameters, name));
  assertEmail(textAt(parameters, 'customer_email'));
}

function assertShort(parameters: FormBody, path: string, limit: number): void {
  const text = textAt(parameters, path) ?? '';
  if (text.length <= limit) return;
  const shown = `${text.slice(0, 6)}...${text.slice(-6)}`;
  throw new ApiFault(400, `Invalid string: ${shown}; must be at most ${limit} characters`, {
    code: 'parameter_invalid_string',
    param: paramOf(path),
  });
}

function assertMetadata(path: string, metadata: Record<string, string>): void {
  const entries = Object.entries(metadata);
  const isFine = entries.length <= 50 && entries.every(([name, value]) => name.length <= 40 && value.length <= 500);
  if (isFine) return;
  throw new ApiFault(400, 'Metadata can have up to 50 keys, with names up to 40 and values up to 500 characters.', {
    param: paramOf(path),
  });
}

function addressesOf({ isLive }: Account, parameters: FormBody): { successUrl: string; cancelUrl: string | null } {
  const successUrl = requiredText(parameters, 'success_url');
  const cancelUrl = textAt(parameters, 'cancel_url') ?? null;
  assertAddress('success_url', successUrl, isLive);
  if (cancelUrl !== null) assertAddress('cancel_url', cancelUrl, isLive);
  return { successUrl, cancelUrl };
}

/** Checks an address. Live mode accepts only addresses with HTTPS. */
function assertAddress(name: string, address: string, isLive: boolean): void {
  const scheme = URL.canParse(address) ? new URL(address).protocol : '';
  if (scheme === 'https:' || (scheme === 'http:' && !isLive)) return;
  throw new ApiFault(
    400,
    scheme === 'http:' ? 'Livemode requests must always be redirected via HTTPS.' : 'Not a valid URL',
    {
      code: 'url_invalid',
      param: name,
    },
  );
}

/**
 * Matches the e-mail addresses that Stripe accepts. It is stricter than mail programs: no quotes, no address literals,
 * and only ASCII before the `@`.
 */
const acceptedEmail =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;

/** Matches an address that is valid but that the fake refuses. Stripe also refuses some valid addresses. */
const refusedEmail = /^refused@/;

function assertEmail(email: string | undefined): void {
  const isFine =
    email === undefined || (acceptedEmail.test(email) && !/\.\.|^\.|\.@/.test(email) && !refusedEmail.test(email));
  if (isFine) return;
  throw new ApiFault(400, `Invalid email address: ${email}`, { code: 'email_invalid', param: 'customer_email' });
}

/** Refuses a session if the account is not set up for it. The error tells the owner what to do. */
function assertSetUp({ profile }: Account, { currency, methods }: { currency: string; methods: string[] }): void {
  if (!profile.chargesEnabled) throw new ApiFault(400, 'Your account cannot currently make live charges.');
  if (profile.businessName === null)
    throw new ApiFault(
      400,
      'In order to use Checkout, you must set an account or business name at https://dashboard.stripe.com/account.',
    );
  if (profile.currencies && !profile.currencies.has(currency))
    throw new ApiFault(400, `Your account cannot charge in ${currency}. Enable the currency in your dashboard.`, {
      param: 'line_items[0][price_data][currency]',
    });
  const offered = methods.length > 0 ? methods : profile.methods;
  if (!offered.some((method) => profile.methods.includes(method)))
    throw new ApiFault(
      400,
      'No valid payment method types for this Checkout Session. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard (https://dashboard.stripe.com/settings/payment_methods) or specify payment_method_types.',
      { param: 'payment_method_types' },
    );
}
