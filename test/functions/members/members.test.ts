import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../infra/commands/keys.ts';
import { apiKeys, auditLog, members, signIns } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addMember, browseAs, mailsIn, rewriteMembers } from '../../support/shop/members.ts';
import { typed } from '../../support/wire/command.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let key: Browsing;

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: mails });
  key = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
  // a function looks once whether it can mail, so it does that before a test takes the mail away
  await see(key);
});
beforeEach(() => rewriteMembers(() => []));
afterEach(() => clock.run());
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const home = '/dashboard/members';
const submit = ({ cookies, token }: Browsing, path: string, fields: Record<string, string>) =>
  postForm(api, path, { ...fields, token, form_id: randomUUID() }, cookies);
const at = (id: string): string => `${home}/${id}`;
const see = async ({ cookies }: Browsing, path = home, headers = {}) =>
  api.call(`GET ${path}`, { cookies, headers, key: null });
const roleOf = async (id: string) => (await members().list()).members.find((member) => member.id === id)?.role;

/** An owner and their session. */
async function ownerSession() {
  const member = await addMember('owner');
  return { member, session: await browseAs(api, member) };
}

describe('an invitation', () => {
  it('of the first owner is made with an API key, by a mail without secrets, and the owner invites others', async () => {
    const before = mailsIn(mails).length;
    const refused = await submit(key, home, { action: 'invite', email: 'anna@example.com', role: 'read' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Invite an owner first.')]);
    const invited = await submit(key, home, { action: 'invite', email: 'Anna@Example.com', role: 'owner' });
    expect([invited.status, invited.headers['location']]).toEqual([303, `${home}?done=invited`]);
    const [mail, ...more] = mailsIn(mails).slice(before);
    expect([mail?.to, more]).toEqual(['anna@example.com', []]);
    expect(mail?.text).toContain('http://localhost:4000/dashboard/sign-in\n');
    expect(mail?.text).not.toMatch(/token|[A-Za-z0-9]{40}/);
    const [owner] = (await members().list()).members;
    await rewriteMembers((all) => all.map((member) => ({ ...member, joinedAt: member.invitedAt })));
    const session = await browseAs(api, owner!);
    expect((await submit(session, home, { action: 'invite', email: 'bea@example.com', role: 'admin' })).status).toBe(
      303,
    );
    const late = await submit(key, home, { action: 'invite', email: 'carl@example.com', role: 'owner' });
    expect(late.status).toBe(403);
  });

  it('is neither offered nor allowed to a key without the refund right if the new member could refund', async () => {
    const limited = await browse(api, await api.addKey({ access: 'admin', refunds: null }));
    expect((await see(limited)).text).not.toMatch(/value="(owner|invite)"/);
    const owner = await submit(limited, home, { action: 'invite', email: 'anna@example.com', role: 'owner' });
    expect([owner.status, (await members().list()).members]).toEqual([403, []]);
    await ownerSession();
    expect((await see(limited)).text).not.toMatch(/value="(write|admin)"/);
    const admin = await submit(limited, home, { action: 'invite', email: 'anna@example.com', role: 'admin' });
    expect(admin.status).toBe(403);
  });

  it('is neither offered nor allowed to a key that expires, because the member would remain', async () => {
    const expiresAt = '2126-01-01T00:00:00.000Z';
    const borrowed = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null }, expiresAt }));
    const invite = (role: string) => submit(borrowed, home, { action: 'invite', email: 'anna@example.com', role });
    expect((await see(borrowed)).text).not.toContain('value="invite"');
    expect([(await invite('owner')).status, (await members().list()).members]).toEqual([403, []]);
    await ownerSession();
    expect((await see(borrowed)).text).not.toContain('value="invite"');
    expect([(await invite('read')).status, (await invite('admin')).status]).toEqual([403, 403]);
    const [reader, admin] = [await addMember('read'), await addMember('admin')];
    expect((await see(borrowed, at(reader.id))).text).not.toMatch(/value="(write|admin)"/);
    expect((await submit(borrowed, at(reader.id), { action: 'change_role', role: 'write' })).status).toBe(403);
    expect((await submit(borrowed, at(admin.id), { action: 'change_role', role: 'write' })).status).toBe(303);
    expect((await submit(borrowed, at(reader.id), { action: 'remove' })).status).toBe(303);
    expect([await roleOf(reader.id), await roleOf(admin.id)]).toEqual([undefined, 'write']);
  });

  it('is refused for an invited or invalid address, in the language of the page', async () => {
    const { member, session } = await ownerSession();
    for (const [email, text] of [
      [member.email.toUpperCase(), 'Zu dieser Adresse gibt es schon'],
      ['anna@example.com\r\nBcc: thief@example.org', 'Geben Sie eine E-Mail-Adresse ein'],
    ] as const) {
      const cookies = [...session.cookies, 'tillstack-language=de'];
      const answer = await submit({ ...session, cookies }, home, { action: 'invite', email, role: 'read' });
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(text)]);
    }
  });

  it('can be mailed again at most five times an hour, and then lasts seven more days', async () => {
    clock.stopAt('2026-05-01T08:00:00.000Z');
    const { session } = await ownerSession();
    const member = await addMember('read', { joinedAt: null, inviteEndsAt: '2026-05-01T07:00:00.000Z' });
    const answers = [];
    for (let index = 0; index < 6; index += 1)
      answers.push((await submit(session, at(member.id), { action: 'invite_again' })).headers['location']);
    expect(answers).toEqual([...Array(5).fill(`${home}?done=invited`), `${home}?done=unmailed`]);
    const after = (await members().list()).members.find(({ id }) => id === member.id);
    expect(after?.inviteEndsAt).toBe('2026-05-08T08:00:00.000Z');
  });
});

describe('a second mail for an invitation', () => {
  it.each([
    ['without refunds, for a member who refunds', { refunds: null }, 'write'],
    ['up to a daily limit, for a member who refunds', { refunds: { perDay: { amount: 1, currency: 'EUR' } } }, 'admin'],
    ['with an end', { refunds: { perDay: null }, expiresAt: '2126-01-01T00:00:00.000Z' }, 'read'],
  ] as const)('is neither offered nor allowed to a key %s', async (_, fields, role) => {
    await ownerSession();
    const limited = await browse(api, await api.addKey({ access: 'admin', ...fields }));
    const member = await addMember(role, { joinedAt: null, inviteEndsAt: '2126-01-01T00:00:00.000Z' });
    const { text } = await see(limited, at(member.id));
    expect(text).toContain(member.email);
    expect(text).toContain('value="change_role"');
    expect(text).not.toContain('value="invite_again"');
    expect((await submit(limited, at(member.id), { action: 'invite_again' })).status).toBe(403);
    expect((await see(key, at(member.id))).text).toContain('value="invite_again"');
  });

  it('is offered to a key without the refund right if the member can only read', async () => {
    await ownerSession();
    const limited = await browse(api, await api.addKey({ access: 'admin', refunds: null }));
    const member = await addMember('read', { joinedAt: null, inviteEndsAt: '2126-01-01T00:00:00.000Z' });
    expect((await see(limited, at(member.id))).text).toContain('value="invite_again"');
    expect((await submit(limited, at(member.id), { action: 'invite_again' })).status).toBe(303);
  });
});

describe('a role', () => {
  it('counts from the next click after it is raised or lowered', async () => {
    const { session } = await ownerSession();
    const member = await addMember('read');
    const theirs = await browseAs(api, member);
    const create = () =>
      submit(theirs, '/dashboard/keys', { action: 'create', name: 'More', access: 'read', refunds: 'no' });
    expect((await create()).status).toBe(403);
    expect((await submit(session, at(member.id), { action: 'change_role', role: 'admin' })).status).toBe(303);
    expect((await create()).status).toBe(200);
    expect((await submit(session, at(member.id), { action: 'change_role', role: 'write' })).status).toBe(303);
    expect((await create()).status).toBe(403);
  });

  it('of an owner is given and removed only by owners, not by admins or keys of admins', async () => {
    const { member: owner } = await ownerSession();
    const admin = await addMember('admin');
    const [session, other] = [await browseAs(api, admin), await addMember('read')];
    for (const browsing of [session, key])
      for (const [id, fields] of [
        [admin.id, { action: 'change_role', role: 'owner' }],
        [other.id, { action: 'change_role', role: 'owner' }],
        [owner.id, { action: 'change_role', role: 'read' }],
        [owner.id, { action: 'remove' }],
        [owner.id, { action: 'end_session', session_id: 'x' }],
      ] as const)
        expect([fields, (await submit(browsing, at(id), fields)).status]).toEqual([fields, 403]);
    expect([await roleOf(owner.id), await roleOf(admin.id), await roleOf(other.id)]).toEqual([
      'owner',
      'admin',
      'read',
    ]);
    expect((await see(session)).text).not.toContain('value="owner"');
    for (const role of ['OWNER', '', 'root', '__proto__'])
      expect((await submit(session, at(other.id), { action: 'change_role', role })).status).toBe(422);
  });

  it('of owner stays with one member when the last two owners are removed at the same time', async () => {
    const [one, two] = [await ownerSession(), await ownerSession()];
    const answers = await Promise.all([
      submit(one.session, at(two.member.id), { action: 'change_role', role: 'read' }),
      submit(two.session, at(one.member.id), { action: 'change_role', role: 'read' }),
      submit(one.session, at(one.member.id), { action: 'remove' }),
      submit(two.session, at(two.member.id), { action: 'remove' }),
    ]);
    expect(answers.filter(({ status }) => status === 303).length).toBeGreaterThanOrEqual(1);
    const owners = (await members().list()).members.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
  });

  it('with read access shows no link to secrets, no forms, and only the member’s own sessions', async () => {
    const { member: owner } = await ownerSession();
    const reader = await browseAs(api, await addMember('read'));
    await browseAs(api, owner);
    const { text } = await see(reader, at(owner.id));
    expect(text).toContain(owner.email);
    expect(text).not.toMatch(/name="action"|session_id/);
    expect((await see(reader)).text).not.toContain('value="invite"');
  });
});

describe('removing a member', () => {
  it('ends every session on its next click, and on request also the keys that the member created', async () => {
    const { session } = await ownerSession();
    const member = await addMember('admin');
    const theirs = [await browseAs(api, member), await browseAs(api, member)];
    const made = await submit(theirs[0]!, '/dashboard/keys', {
      action: 'create',
      name: 'Theirs',
      access: 'admin',
      refunds: 'no',
    });
    const plain = /id="new-key" value="(sk_test_\w+)"/.exec(made.text)?.[1] ?? '';
    expect((await api.call('GET /payments', { key: plain })).status).toBe(200);
    expect((await see(session, at(member.id))).text).toContain('Also revoke the API key that this member made');
    expect((await submit(session, at(member.id), { action: 'remove', with_keys: 'true' })).status).toBe(303);
    for (const browsing of theirs) expect((await see(browsing)).status).toBe(303);
    expect((await api.call('GET /payments', { key: plain })).status).toBe(401);
    expect((await see(session, at(member.id))).status).toBe(404);
  });

  it('leaves no working key of that member, even if one is created at the same moment', async () => {
    const { session } = await ownerSession();
    for (let round = 0; round < 4; round += 1) {
      const member = await addMember('admin');
      const theirs = await browseAs(api, member);
      const fields = { action: 'create', name: 'Last', access: 'admin', refunds: 'no' };
      await Promise.all([
        submit(theirs, '/dashboard/keys', fields),
        submit(session, at(member.id), { action: 'remove', with_keys: 'true' }),
      ]);
      const { keys } = await apiKeys().list();
      expect(keys.filter(({ createdBy, revokedAt }) => createdBy === member.id && revokedAt === null)).toEqual([]);
    }
  });

  it('is also possible for an admin who removes themselves', async () => {
    await ownerSession();
    const admin = await addMember('admin');
    const session = await browseAs(api, admin);
    expect((await submit(session, at(admin.id), { action: 'remove' })).status).toBe(303);
    expect((await see(session)).status).toBe(303);
  });
});

it('Members see and end their own sessions, and owners also the sessions of members', async () => {
  const { member: owner, session } = await ownerSession();
  const member = await addMember('write');
  const [theirs, second] = [await browseAs(api, member), await browseAs(api, member)];
  const ids = async (browsing: Browsing, path?: string) =>
    [...(await see(browsing, path)).text.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id = '']) => id);
  const seen = await ids(session, at(member.id));
  expect(seen.sort()).toEqual((await signIns().list(member.id)).map(({ id }) => id).sort());
  const [other = ''] = await ids(theirs);
  expect((await submit(theirs, home, { action: 'end_own_session', session_id: other })).status).toBe(303);
  expect([(await see(theirs)).status, (await see(second)).status]).toEqual([200, 303]);
  const foreign = (await signIns().list(owner.id))[0]?.id ?? '';
  expect((await submit(theirs, home, { action: 'end_own_session', session_id: foreign })).status).toBe(404);
  for (const session_id of await ids(session, at(member.id)))
    expect((await submit(session, at(member.id), { action: 'end_session', session_id })).status).toBe(303);
  expect([(await see(theirs)).status, (await see(session)).status]).toEqual([303, 200]);
});

it('A stack without a mail service says that it cannot send mail, and refuses invitations', async () => {
  const folder = process.env['MAIL_FOLDER'];
  delete process.env['MAIL_FOLDER'];
  try {
    const page = await see(key);
    expect(page.text).toContain('does not send mail yet');
    expect(page.text).not.toContain('value="invite"');
    expect((await submit(key, home, { action: 'invite', email: 'anna@example.com', role: 'owner' })).status).toBe(422);
  } finally {
    process.env['MAIL_FOLDER'] = folder;
  }
});

describe('npm run keys -- owner', () => {
  const owner = (...args: string[]) => typed(runKeys, ['owner', '--table', api.tableName, ...args]);
  const newest = async () => (await auditLog().list({}, { size: 1, skip: 0, after: undefined })).items[0];

  it('makes a new address an owner when the only owner lost their mailbox, if the address is typed twice', async () => {
    const lost = await addMember('owner');
    const first = await owner('--email', 'New@Example.com');
    expect([first.code, first.out]).toEqual([
      0,
      expect.stringContaining(`These owners stay: ${lost.email}. Nothing was changed`),
    ]);
    expect((await members().list()).members).toEqual([lost]);
    const done = await owner('--email', 'new@example.com', '--confirm', 'new@example.com');
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining('new@example.com is an owner, and can ask for a link'),
    ]);
    const made = (await members().list()).members.find(({ email }) => email === 'new@example.com')!;
    expect(made).toMatchObject({ role: 'owner', joinedAt: null, inviteEndsAt: expect.any(String) });
    expect(await newest()).toMatchObject({
      ...{ command: 'member.invite', subject: made.id, details: { role: 'owner' } },
      by: { keyName: 'npm run keys', via: 'command_line' },
    });
    const session = await browseAs(api, made);
    expect((await see(session)).text).toContain('new@example.com');
  });

  it('makes a member an owner at once, and changes nothing the second time', async () => {
    const member = await addMember('read');
    const args = ['--email', member.email, '--confirm', member.email];
    expect((await owner(...args)).out).toContain('is an owner');
    expect(await roleOf(member.id)).toBe('owner');
    expect(await newest()).toMatchObject({ command: 'member.change_role', subject: member.id });
    const before = await newest();
    expect((await owner(...args)).out).toContain('is an owner already');
    expect(await newest()).toEqual(before);
  });

  it('says until when an address is already invited as owner, and writes nothing then', async () => {
    const args = ['--email', 'twice@example.com', '--confirm', 'twice@example.com'];
    await owner(...args);
    const before = [await newest(), await members().list()];
    const { code, out } = await owner(...args);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/is an owner already, .* until 20\d\d-.* Nothing was changed/),
    ]);
    expect([await newest(), await members().list()]).toEqual(before);
  });

  it.each([
    [['--email', 'a@example.com', '--confirm', 'b@example.com'], /must be the same address/],
    [['--email', 'a@example', '--confirm', 'a@example'], /--email must be one e-mail address/],
    [['--email', 'a@example.com, b@example.com'], /--email must be one e-mail address/],
    [[], /--email is required/],
  ])('refuses %j, and changes nothing', async (args, message) => {
    expect(await owner(...args)).toEqual({ code: 2, out: '', error: expect.stringMatching(message) });
    expect((await members().list()).members).toEqual([]);
  });
});
