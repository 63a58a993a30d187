import { describe, expect, it } from 'vitest';
import { type ComparedContract, changesBetween } from '../../infra/contract/changes.ts';
import { readContract } from './json-document.ts';

const contract = readContract() as unknown as ComparedContract;

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of the document
type Loose = any;

/** The contract after a change, compared with the contract before it. */
function changesAfter(change: (document: Loose) => void): string[] {
  const changed = structuredClone(contract);
  change(changed);
  return changesBetween(contract, changed).map(
    ({ isBreaking, what }) => `${isBreaking ? 'breaking' : 'additive'}: ${what}`,
  );
}

describe('a change of the contract', () => {
  it('is not reported when the two contracts are equal', () => expect(changesAfter(() => {})).toEqual([]));

  it('is not reported when a value that may be null is written as a choice', () => {
    const before: Loose = structuredClone(contract);
    const { properties } = before.components.schemas.RefundInput;
    const { description, type, ...limits } = properties.reason;
    expect(type).toEqual(['string', 'null']);
    properties.reason = { description, anyOf: [{ type: 'string', ...limits }, { type: 'null' }] };
    expect(changesBetween(before, contract)).toEqual([]);
  });

  it('is not reported when an operation only appears under its alias', () => {
    const swapped = changesAfter(({ paths }) => {
      const { post, ...others } = paths['/checkouts'];
      expect(post['x-aliases']).toEqual(['/checkout-sessions/create']);
      paths['/checkouts'] = others;
      paths['/checkout-sessions/create'] = { post: { ...post, 'x-aliases': ['/checkouts'] } };
    });
    expect(swapped).toEqual([]);
  });

  it.each<[string, (document: Loose) => void]>([
    ['breaking: DELETE /products/{id} is gone', ({ paths }) => delete paths['/products/{id}'].delete],
    ['breaking: the webhook payment.failed is gone', ({ webhooks }) => delete webhooks['payment.failed']],
    [
      'breaking: GET /payments lost the parameter status',
      ({ paths }) => {
        const { get } = paths['/payments'];
        get.parameters = get.parameters.filter(({ name }: Loose) => name !== 'status');
      },
    ],
    [
      'breaking: POST /refunds needs another access',
      ({ paths }) => {
        paths['/refunds'].post.security = [{ apiKey: ['admin'] }];
      },
    ],
    [
      'breaking: POST /refunds has another operationId',
      ({ paths }) => {
        paths['/refunds'].post.operationId = 'refund';
      },
    ],
    [
      'breaking: GET /payments/{payment_id} answer.total_amount is gone',
      ({ components }) => delete components.schemas.Payment.properties.total_amount,
    ],
    [
      'breaking: GET /payments/{payment_id} answer.tax can be null now',
      ({ components }) => {
        components.schemas.Payment.properties.tax = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
      },
    ],
    [
      'breaking: GET /payments/{payment_id} answer.refunds[].amount is gone',
      ({ components }) => delete components.schemas.RefundListItem.properties.amount,
    ],
    [
      'breaking: GET /payments/{payment_id} answer.tax may be absent now',
      ({ components }) => {
        const { Payment } = components.schemas;
        Payment.required = Payment.required.filter((field: string) => field !== 'tax');
      },
    ],
    [
      'breaking: POST /refunds request.reason is required now',
      ({ components }) => components.schemas.RefundInput.required.push('reason'),
    ],
    [
      'breaking: POST /refunds request.items[].amount has a tighter maximum',
      ({ components }) => {
        components.schemas.RefundInput.properties.items.items.properties.amount.maximum = 5;
      },
    ],
    [
      'breaking: POST /products request.name has a tighter maxLength',
      ({ components }) => {
        components.schemas.ProductInput.properties.name.maxLength = 50;
      },
    ],
    [
      'breaking: POST /products request.tax_category is never saas now',
      ({ components }) => {
        const { tax_category } = components.schemas.ProductInput.properties;
        tax_category.enum = tax_category.enum.filter((name: string) => name !== 'saas');
      },
    ],
    [
      'breaking: POST /products request.price.currency is never EUR now',
      ({ components }) => {
        components.schemas.Currency.enum = components.schemas.Currency.enum.filter((code: string) => code !== 'EUR');
      },
    ],
    [
      'additive: GET /payments/{payment_id} answer.colour is new',
      ({ components }) => {
        components.schemas.Payment.properties.colour = { type: 'string' };
      },
    ],
    [
      'additive: GET /carts is new',
      ({ paths }) => {
        paths['/carts'] = { get: { operationId: 'listCarts', responses: {} } };
      },
    ],
    [
      'additive: POST /products request.name can be null now',
      ({ components }) => {
        components.schemas.ProductInput.properties.name = {
          anyOf: [components.schemas.ProductInput.properties.name, { type: 'null' }],
        };
      },
    ],
  ])('is reported by name: %s', (what, change) => expect(changesAfter(change)).toContain(what));

  it('is listed first when it breaks clients', () => {
    const changes = changesAfter(({ components, paths }) => {
      components.schemas.Payment.properties.colour = { type: 'string' };
      delete paths['/disputes'];
    });
    expect(changes[0]).toBe('breaking: GET /disputes is gone');
  });
});
