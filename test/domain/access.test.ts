import { describe, expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { isPermitted, type NeededAccess, type Rights } from '../../shared/domain/access/access.ts';

/** What is declared in the route table: a change of these lists is a decision about who may do what. */
const routesOf = (needed: NeededAccess): string[] =>
  endpoints.filter(({ access }) => access === needed).map(({ method, paths: [path] }) => `${method} ${path}`);

const commandsOf = (needed: NeededAccess): string[] =>
  endpoints.flatMap(({ commands = {}, function: name }) =>
    Object.entries(commands).flatMap(([command, { needs }]) => (needs === needed ? [`${name} ${command}`] : [])),
  );

it('only an admin key reaches API keys, webhook addresses and secrets, and tax rules', () => {
  expect(routesOf('admin').sort()).toEqual([
    'DELETE /api-keys/{id}',
    'DELETE /tax/overrides/{id}',
    'DELETE /tax/registrations/{id}',
    'DELETE /webhooks/{id}',
    'GET /webhooks/{id}/secret',
    'PATCH /tax/registrations/{id}',
    'PATCH /webhooks/{id}/headers',
    'POST /api-keys',
    'POST /customers/{customer_id}/erase',
    'POST /tax/overrides',
    'POST /tax/registrations',
    'POST /webhooks',
    'POST /webhooks/{id}/rotate',
  ]);
  expect(commandsOf('admin').sort()).toEqual([
    'dashboard/erase-customer erase',
    'dashboard/manage-brands save_rights',
    'dashboard/manage-keys create',
    'dashboard/manage-keys revoke',
    'dashboard/manage-returns file',
    'dashboard/manage-taxes add_override',
    'dashboard/manage-taxes add_registration',
    'dashboard/manage-taxes change_registration',
    'dashboard/manage-taxes leave_small_seller',
    'dashboard/manage-taxes remove_override',
    'dashboard/manage-taxes remove_registration',
    'dashboard/manage-taxes state_small_seller',
    'dashboard/manage-webhooks create',
    'dashboard/manage-webhooks delete',
    'dashboard/manage-webhooks rotate',
    'members/manage-members change_role',
    'members/manage-members end_session',
    'members/manage-members invite',
    'members/manage-members invite_again',
    'members/manage-members remove',
  ]);
});

it('only operations that refund or decide a withdrawal need the separate right to refund', () => {
  expect([...routesOf('refunds'), ...commandsOf('refunds')]).toEqual([
    'POST /refunds',
    'POST /withdrawals/{withdrawal_id}/decide',
    'dashboard/manage-payments refund',
    'dashboard/manage-payments correct',
    ...['confirm', 'refund', 'refuse', 'end', 'close'].map((name) => `withdrawals/manage-withdrawals ${name}`),
  ]);
});

it('a read-only key can read and preview, and end its own dashboard sessions', () => {
  expect(routesOf('read').filter((route) => !route.startsWith('GET '))).toEqual([
    'POST /checkouts/preview',
    'POST /refunds/preview',
  ]);
  expect(commandsOf('read')).toEqual([
    'members/manage-members end_own_session',
    'dashboard/manage-products preview',
    'dashboard/manage-payments preview',
    'dashboard/manage-keys end_session',
    'dashboard/manage-brands preview_policies',
    'dashboard/manage-returns create',
    'dashboard/show-mails send_example',
    'dashboard/show-mails preview_words',
  ]);
});

describe('a key', () => {
  const none = { refunds: null };
  const needs: NeededAccess[] = ['read', 'write', 'admin', 'refunds'];

  it.each<[Rights, NeededAccess[]]>([
    [{ access: 'read', ...none }, ['read']],
    [{ access: 'write', ...none }, ['read', 'write']],
    [{ access: 'admin', ...none }, ['read', 'write', 'admin']],
    [{ access: 'read', refunds: { perDay: null } }, ['read', 'refunds']],
    [{ access: 'write', refunds: { perDay: { amount: 1, currency: 'EUR' } } }, ['read', 'write', 'refunds']],
  ])('with the rights %j can use operations that need %j', (held, reached) => {
    expect(needs.filter((needed) => isPermitted(held, needed))).toEqual(reached);
  });
});
