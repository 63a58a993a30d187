import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPermitted } from '../../../shared/domain/access/access.ts';
import { type Commands, dashboardCommands } from '../../../shared/domain/access/dashboard-commands.ts';
import { mayOpen } from '../../../shared/domain/access/dashboard-pages.ts';
import { type Role, rightsOfRole } from '../../../shared/domain/access/member.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addMember, browseAs } from '../../support/shop/members.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
let productId: string;
const cookies = new Map<string, string[]>();
beforeAll(async () => {
  api = await startApi();
  ({ productId } = await sell(api));
  await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } });
  for (const role of ['read', 'write', 'admin'] as const)
    cookies.set(role, (await browseAs(api, await addMember(role))).cookies);
  cookies.set('a read key', (await browse(api, await api.addKey({ access: 'read' }))).cookies);
});
afterAll(() => api.stop());

const shown = (viewer: string, path: string) => {
  const [address = '', query = ''] = path.split('?');
  return api.call(`GET ${address}`, { cookies: cookies.get(viewer) ?? [], key: null, query });
};

const linksOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/href="(\/dashboard[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))),
];

const made = (): string[] => [
  ...['/dashboard/products/new', `/dashboard/products/${productId}/entitlements`, '/dashboard/discounts/new'],
  ...['/dashboard/brands/new', '/dashboard/brands/imprint', '/dashboard/brands/accessibility'],
];

const statuses = async (viewer: string, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await shown(viewer, path)).status));

describe('a page that exists for a command', () => {
  it('says to a viewer without the access who may open it, and has no form for it', async () => {
    for (const path of made()) {
      const { status, text } = await shown('read', path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('members with the role “Read and write” or a higher one');
      expect(text).not.toContain('name="form_id"');
    }
  });

  it('opens for those who may run the command', async () => {
    expect(await statuses('write', made())).toEqual(made().map(() => 200));
  });

  it('is closed for management, except that everyone finds their own sessions', async () => {
    const managed = ['/dashboard/keys', '/dashboard/members'];
    expect(await statuses('read', managed)).toEqual([403, 200]);
    expect(await statuses('write', managed)).toEqual([403, 200]);
    expect(await statuses('a read key', managed)).toEqual([200, 403]);
    expect(await statuses('admin', managed)).toEqual([200, 200]);
  });
});

describe('the pages of the dashboard', () => {
  it.each(['read', 'write'] as const)(
    'offer a %s member no page and no command that it may not use',
    async (role: Role) => {
      const viewer = { ...rightsOfRole(role), member: {} };
      const commands = Object.values<Commands>(dashboardCommands).flatMap((page) => Object.entries(page));
      const allowed = new Set<string | undefined>(
        commands.flatMap(([name, { needs }]) => (isPermitted(viewer, needs) ? [name] : [])),
      );
      const seen = new Set(['/dashboard']);
      for (const path of seen) {
        const { status, text } = await shown(role, path);
        if (status === 200) for (const link of linksOf(text)) if (!/csv|qr|document=/.test(link)) seen.add(link);
        expect([path, mayOpen(viewer, path.split('?')[0] ?? '')]).toEqual([path, true]);
        expect([path, status]).toEqual([path, 200]);
        expect(text).not.toMatch(/<section class="card">\s*<\/section>/);
        const offered = [...text.matchAll(/name="action" value="(\w+)"/g)].map(([, command]) => command);
        expect([path, offered.filter((command) => !allowed.has(command))]).toEqual([path, []]);
      }
      expect(seen.size).toBeGreaterThan(20);
    },
  );

  it('tell a viewer without the access who may change them', async () => {
    const change = 'can change what it shows';
    const path = `/dashboard/products/${productId}`;
    expect((await shown('read', path)).text).toContain(change);
    expect((await shown('write', path)).text).not.toContain(change);
    expect((await shown('write', '/dashboard/tax')).text).toContain(change);
    expect((await shown('admin', '/dashboard/tax')).text).not.toContain(change);
  });
});
