import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorCode } from '../../shared/domain/errors.ts';
import { isRefusal, presentProblem, ruleOf } from '../../shared/http/problem.ts';
import { problemMembers } from '../support/wire/problem-members.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts'));

/** The codes as `ErrorCode` lists them. */
const codes = [...read('shared/domain/errors.ts').matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(
  ([, code]) => code as ErrorCode,
);

/** The dialect's table: statuses with their codes on the wire. CONFLICT is ours. */
const dialectCodes: Record<number, string[]> = {
  400: ['INVALID_REQUEST_BODY'],
  401: ['UNAUTHORIZED', 'WRONG_MODE'],
  403: ['UNAUTHORIZED', 'MERCHANT_NOT_LIVE', 'INACTIVE_LICENSE_KEY'],
  404: ['NOT_FOUND', 'LICENSE_KEY_NOT_FOUND', 'LICENSE_KEY_INSTANCE_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: [
    'CHECKOUT_SESSION_CONSUMED',
    'IDEMPOTENCY_IN_PROGRESS',
    'CONFLICT',
    'LOCALIZED_PRICE_ALREADY_EXISTS',
    'DISCOUNT_CODE_ALREADY_EXISTS',
    'LICENSE_KEY_ALREADY_EXISTS',
  ],
  410: ['PRODUCT_IS_DELETED', 'CHECKOUT_SESSION_EXPIRED'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: [
    'INVALID_REQUEST_BODY',
    'INVALID_REQUEST_PARAMETERS',
    'INVALID_QUERY_PARAMS',
    'INTEGER_CONVERSION_FAILURE',
    'LOCALIZED_PRICE_DUPLICATES_BASE',
    'LOCALIZED_PRICE_SHAPE_MISMATCH',
    'MAXIMUM_KEYS_REACHED',
    'UNSUPPORTED_TAX_CATEGORY',
    'UNSUPPORTED_CURRENCY',
    'UNSUPPORTED_COUNTRY',
    'IDEMPOTENCY_KEY_REUSED',
    'INVALID_SUGGESTED_PRICE',
    'INVALID_MAXIMUM_PRICE',
    'PAY_AS_YOU_WANT_AMOUNT_REQUIRED',
    'REQUEST_AMOUNT_BELOW_MINIMUM',
    'REQUEST_AMOUNT_ABOVE_MAXIMUM',
    'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    'PRODUCT_CART_EMPTY',
    'PRODUCT_PRICING_MODE_REQUIRED',
    'PRODUCT_IS_DELETED',
    'BRAND_MISMATCH',
    'INVALID_TAX_ID',
    'PAYMENT_NOT_SUCCEEDED',
    'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED',
    'PAYMENT_ALREADY_REFUNDED',
    'PAYMENT_DISPUTED',
    'NOTHING_TO_REFUND',
    'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT',
    'REFUND_LIMIT_EXCEEDED',
    'REFUND_WINDOW_EXPIRED',
    'PARTIAL_REFUND_NOT_ALLOWED',
    'DUPLICATE_LINE_ITEMS_IN_REQUEST',
    'LINE_ITEM_NOT_FOUND',
    'LINE_ITEM_FULLY_REFUNDED',
    'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
    'LINE_ITEM_REFUND_AMOUNT_TOO_LOW',
    'LIVE_MODE_TEST_CARD',
    'EXCHANGE_RATE_NOT_FOUND',
    'INVALID_PERCENTAGE',
    'DISCOUNT_CODE_EXPIRED',
    'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
    'DISCOUNT_CURRENCY_OPTION_INVALID',
    'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
    'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
    'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
    'DISCOUNT_NOT_COMBINABLE',
    'DISCOUNT_NOT_YET_ACTIVE',
    'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
    'INVALID_DISCOUNT_CODE',
    'UNSUPPORTED_DISCOUNT_TYPE',
    'LICENSE_KEY_LIMIT_REACHED',
  ],
  429: ['TOO_MANY_REQUESTS'],
  500: ['INTERNAL_SERVER_ERROR'],
  503: ['SERVICE_UNAVAILABLE', 'DISCOUNT_CONCURRENT_REDEMPTION'],
};

const onTheWire = (code: ErrorCode): string => ruleOf(code).code ?? code;
const present = (error: unknown) => presentProblem(error, { path: '/things', requestId: 'request-1' });

describe('the error codes', () => {
  it('are all found by this test, each once', () => {
    expect(codes.length).toBeGreaterThan(40);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('are exactly the codes in the expected table, with the same statuses', () => {
    const ours: Record<number, Set<string>> = {};
    for (const code of codes) {
      const { status } = ruleOf(code);
      ours[status] ??= new Set();
      ours[status].add(onTheWire(code));
    }
    const documented = Object.fromEntries(
      Object.entries(dialectCodes).map(([status, names]) => [status, new Set(names)]),
    );
    expect(ours).toEqual(documented);
  });

  const source = ['shared', 'functions'].flatMap(filesIn).map(read).join('\n');
  const tests = filesIn('test')
    .filter((path) => path !== 'test/http/problem.test.ts')
    .map(read)
    .join('\n');
  /** As an argument, a default or a result: a rule or a comparison raises nothing. */
  const isRaised = (code: string): boolean => new RegExp(`(?:[(,?:]|[^=!]=|return)\\s*'${code}'`).test(source);
  const isTested = (code: string): boolean => tests.includes(`'${code}'`);

  it.each(codes)('include %s, which the code raises and a test covers', (code) => {
    expect({ isRaised: isRaised(code), isTested: isTested(code) || isTested(onTheWire(code)) }).toEqual({
      isRaised: true,
      isTested: true,
    });
  });

  it.each(codes)('include %s, which is answered with a complete problem body', (code) => {
    const { statusCode, headers, body } = present(new DomainError(code, 'What is wrong.'));
    const problem = JSON.parse(body);
    expect(Object.keys(problem)).toEqual(problemMembers);
    expect(problem).toEqual({
      type: `urn:tillstack:problem:${onTheWire(code).toLowerCase().replaceAll('_', '-')}`,
      title: onTheWire(code).toLowerCase().replaceAll('_', ' '),
      status: ruleOf(code).status,
      detail: 'What is wrong.',
      instance: '/things',
      code: onTheWire(code),
      message: 'What is wrong.',
      param: null,
      errors: [],
      request_id: 'request-1',
    });
    expect(statusCode).toBe(problem.status);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  });

  it.each(codes.filter((code) => ruleOf(code).status === 409))(
    'include %s, whose answer tells clients whether to retry this 409',
    (code) => {
      const isPassing = code === 'IDEMPOTENCY_IN_PROGRESS';
      expect(present(new DomainError(code, '')).headers['x-should-retry']).toBe(String(isPassing));
    },
  );

  it.each(codes)('include %s, whose answer has a Retry-After exactly if waiting helps', (code) => {
    const mayHelp = [
      'TOO_MANY_REQUESTS',
      'SERVICE_UNAVAILABLE',
      'IDEMPOTENCY_IN_PROGRESS',
      'DISCOUNT_CONCURRENT_REDEMPTION',
    ].includes(code);
    expect(present(new DomainError(code, '')).headers['retry-after']).toBe(mayHelp ? '1' : undefined);
    const asked = present(new DomainError(code, '', { retryAfterSeconds: 7 })).headers['retry-after'];
    expect(asked).toBe(mayHelp ? '7' : undefined);
  });
});

describe('an error answer in the problem format', () => {
  it('names the first fault as its param, and twenty faults at most', () => {
    const faults = Array.from({ length: 25 }, (_, index) => ({ path: `items[${index}].amount`, message: 'is wrong' }));
    const problem = JSON.parse(present(new DomainError('INVALID_REQUEST_BODY', 'Wrong.', { faults })).body);
    expect(problem.param).toBe('items[0].amount');
    expect(problem.errors).toEqual(faults.slice(0, 20));
  });

  it('has null as its param when the fault is in the body as a whole', () => {
    const faults = [{ path: '', message: 'must be an object' }];
    expect(JSON.parse(present(new DomainError('INVALID_REQUEST_BODY', 'Wrong.', { faults })).body).param).toBeNull();
  });

  it('can have extra members that help the caller, but they never replace the standard members', () => {
    const extra = { payment_id: 'pay_1' };
    const problem = JSON.parse(present(new DomainError('CHECKOUT_SESSION_CONSUMED', 'Gone.', { extra })).body);
    expect(problem).toMatchObject({ payment_id: 'pay_1', status: 409, code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it.each([
    ['an error', new Error('SELECT * FROM secrets')],
    ['an error with a cause', new TypeError('secrets', { cause: new Error('secrets') })],
    ['a known error’s cause', new DomainError('SERVICE_UNAVAILABLE', 'Later.', { cause: new Error('secrets') })],
    ['a text', 'secrets'],
    ['nothing', undefined],
    ['an object', { statusCode: 200, message: 'secrets' }],
  ])('reveals nothing about %s', (_, error) => {
    const { statusCode, body } = present(error);
    expect(statusCode).toBeGreaterThanOrEqual(500);
    expect(body).not.toMatch(/secrets|\.ts:|"stack"/);
  });
});

describe('a refusal that is stored with its Idempotency-Key', () => {
  const kept = codes.filter((code) => isRefusal(new DomainError(code, '')));

  it('is every final 404, 409, 410 and 422, except one that depends on the rights of a key', () => {
    const expected = codes.filter((code) => {
      const { status, shouldRetry } = ruleOf(code);
      return code !== 'REFUND_LIMIT_EXCEEDED' && [404, 409, 410, 422].includes(status) && shouldRetry !== true;
    });
    expect(kept).toEqual(expected);
  });

  it('is never an unexpected error', () => {
    expect(isRefusal(new Error('a defect'))).toBe(false);
    expect(isRefusal(undefined)).toBe(false);
  });
});
