import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../infra/endpoints.ts';
import { findRouteIn } from '../../infra/local/local-gateway.ts';

const findRoute = findRouteIn(endpoints);

describe('the local gateway finds the same route as API Gateway', () => {
  it.each([
    ['GET', '/products', 'products/list-products', 'GET /products'],
    ['POST', '/products', 'products/create-product', 'POST /products'],
    ['POST', '/checkouts', 'checkout-sessions/create-checkout-session', 'POST /checkouts'],
    [
      'POST',
      '/checkout-sessions/create',
      'checkout-sessions/create-checkout-session',
      'POST /checkout-sessions/create',
    ],
  ])('by method and literal path: %s %s', (method, path, name, routeKey) => {
    expect(findRoute(method, path)).toEqual({ function: name, routeKey });
  });

  it.each([
    ['/products/pdt_1', { id: 'pdt_1' }],
    ['/products/a b', { id: 'a b' }],
    ['/payments/pay_1/line-items', { payment_id: 'pay_1' }],
  ])('with the right path parameters: %s', (path, pathParameters) => {
    expect(findRoute('GET', path)).toMatchObject({ pathParameters });
  });

  it('for HEAD on a route that answers GET, with the same function', () => {
    expect(findRoute('HEAD', '/products')).toEqual({ function: 'products/list-products', routeKey: 'HEAD /products' });
  });

  it('by a literal segment before a parameter', () => {
    expect(findRoute('POST', '/checkouts/preview')?.function).toBe('checkout-sessions/preview-checkout-session');
    expect(findRoute('GET', '/checkouts/preview')).toMatchObject({ pathParameters: { id: 'preview' } });
  });

  it.each([
    ['HEAD', '/checkouts'],
    ['OPTIONS', '/products'],
    ['PUT', '/products'],
    ['GET', '/products/'],
    ['GET', '/products/a/b'],
    ['GET', '/Products'],
    ['GET', '/'],
  ])('with $default when no other route fits: %s %s', (method, path) => {
    expect(findRoute(method, path)).toEqual({ function: 'routing/refuse-route', routeKey: '$default' });
  });

  describe('when several routes fit, the local gateway chooses', () => {
    const routes = (...list: [Endpoint['method'], string, string][]) =>
      findRouteIn(
        list.map(([method, path, name]) => ({
          method,
          paths: [path],
          function: name,
          access: 'public',
          memoryMegabytes: 512,
          table: {},
        })),
      );

    it('literal segments before parameters, in any order of declaration', () => {
      const find = routes(['GET', '/things/{id}', 'one'], ['ANY', '/things/new', 'new'], ['GET', '/{any}/{id}', 'any']);
      expect(find('GET', '/things/new')?.function).toBe('new');
      expect(find('GET', '/things/1')?.function).toBe('one');
      expect(find('GET', '/others/1')?.function).toBe('any');
    });

    it('the exact method before ANY', () => {
      const find = routes(['ANY', '/things', 'any'], ['GET', '/things', 'get']);
      expect(find('GET', '/things')?.function).toBe('get');
      expect(find('PATCH', '/things')?.function).toBe('any');
    });

    it('no route if no route fits and $default is missing', () => {
      expect(routes(['GET', '/things', 'get'])('GET', '/nothing')).toBeUndefined();
    });
  });
});
