import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPermitted } from '../../shared/domain/access/access.ts';
import { type Member, memberEmail, type Role, rightsOfRole, roles } from '../../shared/domain/access/member.ts';
import {
  type MemberList,
  type MemberMaker,
  makerRole,
  memberWithEmail,
  withInvitation,
  withJoined,
  withoutMember,
  withRenewedInvitation,
  withRole,
} from '../../shared/domain/access/member-list.ts';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-08T00:00:00.000Z';
const member = (id: string, role: Role, joinedAt: string | null = at): Member => ({
  ...{ id, email: `${id}@example.com`, role, invitedAt: at, inviteEndsAt: later, joinedAt },
});
const listOf = (...members: Member[]): MemberList => ({ members, version: 1 });
const refunds = { perDay: null };
const by = (memberId: string, access: MemberMaker['access'] = 'admin'): MemberMaker => ({
  ...{ memberId, access, refunds, expiresAt: null },
});
const adminKey: MemberMaker = { memberId: null, access: 'admin', refunds, expiresAt: null };
const invitation = (role: Role) => ({ id: 'new', email: 'new@example.com', role, now: at, endsAt: later });

describe('the e-mail address of a member', () => {
  it.each([
    ['Anna@Example.COM', 'anna@example.com'],
    ['  anna+till@example.com ', 'anna+till@example.com'],
    ['o’brien@example.com', undefined],
    ["o'brien@example.com", "o'brien@example.com"],
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['anna@BÜCHER.example', 'anna@xn--bcher-kva.example'],
    ['anna@xn--bcher-kva.example', 'anna@xn--bcher-kva.example'],
    ['ann\u0131@example.com', undefined],
    ['Åsa@example.com', undefined],
    ['anna@example.com\r\nBcc: thief@example.org', undefined],
    ['anna@example.com,thief@example.org', undefined],
    ['anna@example.com thief@example.org', undefined],
    ['<anna@example.com>', undefined],
    ['"anna"@example.com', undefined],
    ['anna@thief@example.com', undefined],
    ['anna@example.com/path', undefined],
    ['anna@user:pass@example.com', undefined],
    ['anna@example.com:25', undefined],
    ['anna@[127.0.0.1]', undefined],
    ['anna@exa%6dple.com', undefined],
    ['anna@localhost', undefined],
    ['.anna@example.com', undefined],
    [`${'a'.repeat(65)}@example.com`, undefined],
    [`a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.example`, undefined],
    ['', undefined],
    ['@', undefined],
  ])('is stored for %j as %j', (text, email) => {
    expect(memberEmail(text)).toBe(email);
  });

  it('does not change when it is normalized again', () => {
    for (const text of fc.sample(fc.emailAddress(), 200)) {
      const email = memberEmail(text);
      if (email !== undefined) expect(memberEmail(email)).toBe(email);
    }
  });
});

describe('the role of a member', () => {
  it('grants exactly the rights of an access level of the API', () => {
    const needs = ['read', 'write', 'admin', 'refunds'] as const;
    const allowed = roles.map((role) => needs.filter((needed) => isPermitted(rightsOfRole(role), needed)));
    expect(allowed).toEqual([['read'], ['read', 'write', 'refunds'], [...needs], [...needs]]);
  });
});

describe('the rules about who may change members', () => {
  const list = listOf(
    member('owner', 'owner'),
    member('admin', 'admin'),
    member('write', 'write'),
    member('other', 'read'),
  );

  it.each([
    ['owner', ['read', 'write', 'admin', 'owner']],
    ['admin', ['read', 'write', 'admin']],
    ['write', []],
    ['other', []],
    ['stranger', []],
  ])('let %s invite members with the roles %j', (id, allowed) => {
    const may = roles.filter((role) => {
      try {
        return withInvitation(list, invitation(role), by(id)).members.length === 5;
      } catch {
        return false;
      }
    });
    expect(may).toEqual(allowed);
  });

  it('forbid an admin, and an admin key, to become, appoint or change an owner', () => {
    for (const maker of [by('admin'), adminKey]) {
      for (const id of ['admin', 'other'])
        expect(() => withRole(list, { id, role: 'owner' }, maker)).toThrow(/Only an owner/);
      expect(() => withRole(list, { id: 'owner', role: 'read' }, maker)).toThrow(/Only an owner/);
      expect(() => withoutMember(list, 'owner', maker)).toThrow(/Only an owner/);
      expect(withRole(list, { id: 'other', role: 'admin' }, maker).members[3]?.role).toBe('admin');
    }
  });

  it.each([null, { perDay: { amount: 100, currency: 'EUR' } }])(
    'let a key with the refund right %j give no member the right to refund',
    (held) => {
      const maker = { ...adminKey, refunds: held };
      for (const role of ['write', 'admin'] as const) {
        expect(() => withInvitation(list, invitation(role), maker)).toThrow(/can let members refund/);
        expect(() => withRole(list, { id: 'other', role }, maker)).toThrow(/can let members refund/);
      }
      expect(() => withInvitation(listOf(), invitation('owner'), maker)).toThrow(/can let members refund/);
      const lapsed = withInvitation(list, invitation('write'), adminKey);
      expect(() => withRenewedInvitation(lapsed, { id: invitation('write').id, endsAt: later }, maker)).toThrow(
        /can let members refund/,
      );
      expect(withInvitation(list, invitation('read'), maker).members).toHaveLength(5);
      expect(withRole(list, { id: 'admin', role: 'write' }, maker).members[1]?.role).toBe('write');
    },
  );

  it('use the current role of a member, not the role at the start of the session', () => {
    const demoted = withRole(list, { id: 'admin', role: 'read' }, by('owner'));
    expect(() => withoutMember(demoted, 'other', by('admin', 'admin'))).toThrow(/Only an owner/);
    expect(() => withoutMember(withoutMember(list, 'admin', by('owner')), 'other', by('admin'))).toThrow(
      /Only an owner/,
    );
  });

  it('let an admin key appoint the first owner, and treat it as an admin once that owner has joined', () => {
    const empty: MemberList = { members: [], version: 0 };
    for (const role of ['read', 'write', 'admin'] as const)
      expect(() => withInvitation(empty, invitation(role), adminKey)).toThrow('Invite an owner first.');
    for (const access of ['read', 'write'] as const)
      expect(() => withInvitation(empty, invitation('owner'), { ...adminKey, access })).toThrow(/Only an owner/);
    const invited = withInvitation(empty, invitation('owner'), adminKey);
    expect(makerRole(invited, adminKey)).toBe('owner');
    expect(makerRole(withJoined(invited, 'new', at), adminKey)).toBe('admin');
  });
});

describe('the last owner', () => {
  it('can neither leave nor get another role, even if other owners are invited', () => {
    const list = listOf(member('owner', 'owner'), member('invited', 'owner', null), member('admin', 'admin'));
    expect(() => withoutMember(list, 'owner', by('owner'))).toThrow(/last owner/);
    expect(() => withRole(list, { id: 'owner', role: 'admin' }, by('owner'))).toThrow(/last owner/);
    const joined = withJoined(list, 'invited', at);
    expect(withoutMember(joined, 'owner', by('owner')).members).toHaveLength(2);
    expect(withRole(joined, { id: 'owner', role: 'read' }, by('owner')).members[0]?.role).toBe('read');
  });

  it('stays an owner after any sequence of commands by anybody', () => {
    const ids = ['a', 'b', 'c'];
    const command = fc.record({
      maker: fc.constantFrom(...ids.map((id) => by(id)), adminKey),
      id: fc.constantFrom(...ids),
      role: fc.option(fc.constantFrom(...roles), { nil: undefined }),
    });
    const holds = () =>
      fc.assert(
        fc.property(fc.array(command, { maxLength: 30 }), (all) => {
          let list = listOf(member('a', 'owner'), member('b', 'owner'), member('c', 'admin'));
          for (const { maker, id, role } of all)
            try {
              list = role ? withRole(list, { id, role }, maker) : withoutMember(list, id, maker);
            } catch {}
          expect(list.members.some(({ role, joinedAt }) => role === 'owner' && joinedAt !== null)).toBe(true);
        }),
      );
    expect(holds).not.toThrow();
  });
});

describe('an invitation', () => {
  it('ends after its time, and then the same address can be invited again', () => {
    const list = withInvitation(listOf(member('owner', 'owner')), invitation('read'), by('owner'));
    expect(memberWithEmail(list, 'new@example.com', '2026-01-07T23:59:59.999Z')?.id).toBe('new');
    expect(memberWithEmail(list, 'new@example.com', later)).toBeUndefined();
    const again = { ...invitation('write'), id: 'newer' };
    expect(() => withInvitation(list, again, by('owner'))).toThrow('already has a member');
    const renewed = withInvitation(list, { ...again, now: later, endsAt: '2026-02-01T00:00:00.000Z' }, by('owner'));
    expect(renewed.members.map(({ id }) => id)).toEqual(['owner', 'newer']);
  });

  it('is refused for the fifty-first member', () => {
    const full = listOf(
      member('owner', 'owner'),
      ...Array.from({ length: 49 }, (_, index) => member(`m${index}`, 'read')),
    );
    expect(() => withInvitation(full, invitation('read'), by('owner'))).toThrow('There are 50 members already.');
  });
});
