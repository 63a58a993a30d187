import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { apiCommands, leftBehindBy } from '../../../shared/domain/access/api-commands.ts';
import { type Commands, dashboardCommands } from '../../../shared/domain/access/dashboard-commands.ts';
import { assertMayLeave, leftBehind } from '../../../shared/domain/access/left-behind.ts';
import { webhooks } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { lasting } from '../../support/shop/callers.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

const expiresAt = '2026-03-01T12:00:00.000Z';
let api: Api;
let webhookId: string;
/** A key with admin access, and one with write access, that both expire. */
let admin: string;
let writer: string;

beforeAll(async () => {
  api = await startApi();
  admin = await api.addKey({ access: 'admin', expiresAt });
  writer = await api.addKey({ access: 'write', expiresAt });
});
beforeEach(async () => {
  clock.stopAt('2026-03-01T08:00:00.000Z');
  const body = { url: 'https://shop.example/hooks', filter_types: ['payment.succeeded', 'refund.succeeded'] };
  webhookId = (await api.call('POST /webhooks', { body })).body.id;
});
afterEach(async () => {
  await api.call(`DELETE /webhooks/${webhookId}`);
  clock.run();
});
afterAll(() => api.stop());

const routesOf = ({ method, paths }: Endpoint): string[] => paths.map((path) => `${method} ${path}`);

describe('The table of commands that an expiring key may use', () => {
  const keyed = endpoints.filter(({ access }) => access !== 'public');

  it('has an entry for the API route of every command, and for no other route', () => {
    const routes = keyed.flatMap(routesOf);
    expect(routes.filter((route) => leftBehindBy(route) === 'unknown')).toEqual([]);
    expect(Object.keys(apiCommands).filter((route) => !routes.includes(route))).toEqual([]);
  });

  it('refuses an expiring key a route without an entry', () => {
    expect(leftBehindBy('POST /anything')).toBe('unknown');
    expect(() => assertMayLeave({ expiresAt }, 'unknown', new Date())).toThrow(
      'This API key expires at 2026-03-01T12:00:00.000Z',
    );
    expect(() => assertMayLeave({ expiresAt: null }, 'unknown', new Date())).not.toThrow();
  });

  it('refuses an expiring key only commands that would keep access or send data elsewhere', () => {
    const routes = keyed.flatMap(routesOf).filter((route) => leftBehind[leftBehindBy(route)] === 'refused');
    const forms = Object.entries<Commands>(dashboardCommands).flatMap(([page, commands]) =>
      Object.entries(commands).flatMap(([name, { leaves }]) =>
        leftBehind[leaves] === 'refused' ? [`${page} ${name}`] : [],
      ),
    );
    expect([...routes, ...forms].sort()).toEqual([...lasting].sort());
  });
});

describe('A key with an expiry', () => {
  it.each([
    ['POST /webhooks', { url: 'https://thief.example/' }, 'a webhook endpoint would go on receiving events'],
    ['GET /webhooks/{id}/secret', undefined, 'the signing secret of a webhook endpoint would stay valid'],
    ['HEAD /webhooks/{id}/secret', undefined, ''],
    ['POST /webhooks/{id}/rotate', undefined, 'the signing secret of a webhook endpoint would stay valid'],
    ['PATCH /webhooks/{id}/headers', { headers: { accept: '*/*' } }, 'the headers of a webhook endpoint'],
  ])('403: is refused for %s, with a reason', async (route, body, reason) => {
    const before = await webhooks().get(webhookId);
    const answer = await api.call(route.replace('{id}', webhookId), { key: admin, ...(body && { body }) });
    expectProblem(answer, 403, 'UNAUTHORIZED');
    expect(answer.text).toContain(reason);
    expect(await webhooks().get(webhookId)).toEqual(before);
  });

  it.each([
    ['another address', { url: 'https://thief.example/' }, {}],
    ['an endpoint that is enabled again', { disabled: false }, { disabled: true }],
    ['further events', { filter_types: ['payment.succeeded', 'refund.succeeded', 'dispute.opened'] }, {}],
    ['other events', { filter_types: ['dispute.opened'] }, {}],
    ['all events', { filter_types: null }, {}],
  ])('403: is refused a change by PATCH /webhooks/{id}: %s', async (_, body, first) => {
    await api.call(`PATCH /webhooks/${webhookId}`, { body: first });
    const before = await webhooks().get(webhookId);
    for (const key of [admin, ...('url' in body ? [] : [writer])]) {
      const answer = await api.call(`PATCH /webhooks/${webhookId}`, { key, body });
      expectProblem(answer, 403, 'UNAUTHORIZED');
      expect(answer.text).toContain('a webhook endpoint would go on receiving events after that');
    }
    expect(await webhooks().get(webhookId)).toEqual(before);
    expect((await api.call(`PATCH /webhooks/${webhookId}`, { body })).status).toBe(200);
  });

  it('can make an endpoint send fewer events, or disable it', async () => {
    const same = { url: 'https://shop.example/hooks', filter_types: ['refund.succeeded', 'payment.succeeded'] };
    for (const body of [
      { ...same, disabled: false },
      { description: 'Books', metadata: { a: 'b' } },
      { filter_types: ['refund.succeeded'] },
      { disabled: true },
    ])
      expect((await api.call(`PATCH /webhooks/${webhookId}`, { key: writer, body })).status).toBe(200);
    expect((await api.call(`DELETE /webhooks/${webhookId}`, { key: admin })).status).toBe(200);
  });

  it('can read only the values of harmless headers', async () => {
    const headers = { accept: '*/*', 'x-pin': '1234' };
    await api.call(`PATCH /webhooks/${webhookId}/headers`, { body: { headers } });
    const { body } = await api.call(`GET /webhooks/${webhookId}/headers`, { key: admin });
    expect(body).toEqual({ headers: { accept: '*/*' }, sensitive: ['x-pin'] });
  });
});

describe('At the expiry of a key', () => {
  it('no upload address still works: a key that expires sooner than the address gets none', async () => {
    const { body } = await api.call('GET /brands');
    const owners = [`/products/${await addProduct(api)}`, `/brands/${body.items[0].brand_id}`];
    for (const owner of owners) {
      clock.stopAt('2026-03-01T11:59:00.000Z');
      const signed = await api.call(`PUT ${owner}/images`, { key: writer });
      expect([signed.status, new URL(signed.body.url).searchParams.get('X-Amz-Expires')]).toEqual([200, '60']);
      clock.forward({ milliseconds: 1 });
      const refused = await api.call(`PUT ${owner}/images`, { key: writer });
      expectProblem(refused, 403, 'UNAUTHORIZED');
      expect(refused.text).toContain('an address for uploads would work after that');
      expect((await api.call(`PUT ${owner}/images`)).status).toBe(200);
    }
  });

  it('the dashboard session that was started with the key ends', async () => {
    const { cookies } = await browse(api, admin);
    const open = async () => (await api.call('GET /dashboard', { cookies, key: null })).status;
    clock.stopAt('2026-03-01T11:59:59.999Z');
    expect(await open()).toBe(200);
    clock.stopAt(expiresAt);
    expect(await open()).toBe(303);
  });

  it('every key that it created expires too', async () => {
    const { body } = await api.call('POST /api-keys', { key: admin, body: { name: 'More', access: 'admin' } });
    expect(body.expires_at).toBe(expiresAt);
    expect((await api.call('GET /products', { key: body.key })).status).toBe(200);
    clock.stopAt(expiresAt);
    expectProblem(await api.call('GET /products', { key: body.key }), 401, 'UNAUTHORIZED');
  });
});

describe('the dashboard, signed in with a key that expires,', () => {
  const pageOf = async (path: string, { cookies }: Browsing, language = 'en') =>
    (await api.call(`GET ${path}`, { cookies: [...cookies, `tillstack-language=${language}`], key: null })).text;
  const save = async (browsing: Browsing, fields: Record<string, string>) => {
    const form = { action: 'save', url: 'https://shop.example/hooks', token: browsing.token, form_id: randomUUID() };
    return (await postForm(api, `/dashboard/webhooks/${webhookId}`, { ...form, ...fields }, browsing.cookies)).status;
  };

  it.each([
    ['en', 'Your key ends at <time datetime="2026-03-01T12:00:00.000Z"', 'Your key expires, and members stay.'],
    ['de', 'Ihr Schlüssel endet <time datetime="2026-03-01T12:00:00.000Z"', 'Ihr Schlüssel läuft ab'],
    ['es', 'Su clave termina <time datetime="2026-03-01T12:00:00.000Z"', 'Su clave caduca'],
    ['fr', 'Votre clé se termine <time datetime="2026-03-01T12:00:00.000Z"', 'Votre clé expire'],
  ])('offers no command whose effect outlasts the key, and says why: %s', async (language, webhookNote, memberNote) => {
    const own = await browse(api, admin);
    const [list, endpoint, members] = [
      await pageOf('/dashboard/webhooks', own, language),
      await pageOf(`/dashboard/webhooks/${webhookId}`, own, language),
      await pageOf('/dashboard/members', own, language),
    ];
    expect(list).toContain(webhookNote);
    expect(endpoint).toContain(webhookNote);
    expect(members).toContain(memberNote);
    expect(list).not.toContain('value="create"');
    expect(endpoint).not.toMatch(/value="rotate"|whsec_/);
    expect(endpoint).toMatch(/<input[^>]*id="url"[^>]*readonly/);
    expect(members).not.toContain('value="invite"');
  });

  it('shows no notice about the end of the key to a session of a key without an expiry', async () => {
    const own = await browse(api, await api.addKey({ access: 'admin' }));
    expect(await pageOf('/dashboard/webhooks', own)).not.toContain('Your key ends');
    const endpoint = await pageOf(`/dashboard/webhooks/${webhookId}`, own);
    expect(endpoint).not.toContain('Your key ends');
    expect(endpoint).toMatch(/whsec_[\s\S]*value="rotate"/);
  });

  it('saves a change after which an endpoint sends no more data than before, and refuses other changes', async () => {
    const own = await browse(api, admin);
    expect(await save(own, { enabled: 'true', type: 'payment.succeeded', description: 'Books' })).toBe(303);
    expect(await save(own, { enabled: 'true' })).toBe(403);
    expect(await save(own, { enabled: 'true', type: 'dispute.opened' })).toBe(403);
    expect(await save(own, { enabled: 'true', type: 'payment.succeeded', url: 'https://thief.example/' })).toBe(403);
    expect(await save(own, { type: 'payment.succeeded' })).toBe(303);
    expect(await save(own, { enabled: 'true', type: 'payment.succeeded' })).toBe(403);
    expect(await webhooks().get(webhookId)).toMatchObject({ url: 'https://shop.example/hooks', description: '' });
  });
});
